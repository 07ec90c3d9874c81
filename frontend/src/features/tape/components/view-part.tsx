/** A part of a named view as it reads today; what is withheld is named. */
import { useTranslation } from "react-i18next";
import type { OpenedPart } from "@/api/types";
import { Icon } from "@/components/icon";
import { EntryList } from "./entry-list";

function Withheld({ text }: { text: string }) {
  return (
    <p className="row small-text muted">
      <Icon name="lock" />
      {text}
    </p>
  );
}

/** One that shows no entries: withheld, not open any more, or with nothing in it. */
export function EmptyPart({ part }: { part: OpenedPart }) {
  const { t } = useTranslation();
  if (part.problem === "withheld") return <Withheld text={t("views.withheld")} />;
  return (
    <>
      <p className="muted">{part.problem ? t("views.problem") : t("views.empty")}</p>
      {part.partly && <Withheld text={t("views.partly")} />}
    </>
  );
}

export function ViewPart({ part }: { part: OpenedPart }) {
  const { t } = useTranslation();
  if (part.entries.length === 0) return <EmptyPart part={part} />;
  return (
    <>
      <EntryList entries={part.entries} />
      {part.more && <p className="small muted">{t("views.more")}</p>}
      {part.partly && <Withheld text={t("views.partly")} />}
    </>
  );
}
