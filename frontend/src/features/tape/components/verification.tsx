/** Whether the tape is whole, since when that is known, and the way to know it now. */
import { useTranslation } from "react-i18next";
import type { TapeDetail } from "@/api/types";
import { Icon } from "@/components/icon";
import { Trouble } from "@/components/trouble";
import { count, moment } from "@/lib/wording";
import { verifyTape } from "../api/verify-tape";
import { useTapeAct } from "./use-tape-act";

type Found = NonNullable<TapeDetail["verified"]>;

function Whole({ found, head }: { found: Found; head: number }) {
  const { t, i18n } = useTranslation();
  const formatted = count(found.entries ?? 0, i18n.language);
  const all = (found.entries ?? 0) >= head;
  return (
    <span className="row small-text good" title={moment(found.at ?? "", i18n.language)}>
      <Icon name="check" />
      {t(all ? "tape.verified" : "tape.verifiedUpTo", { formatted })}
    </span>
  );
}

function Finding({ tape }: { tape: TapeDetail }) {
  const { t } = useTranslation();
  const found = tape.verified;
  if (!found?.at) return <span className="small-text muted">{t("tape.notVerified")}</span>;
  if (found.ok) return <Whole found={found} head={tape.head} />;
  return (
    <span className="row small-text bad">
      <Icon name="warning" />
      {found.first_bad_seq === null
        ? t("tape.broken", { reason: found.reason })
        : t("tape.changed", { seq: found.first_bad_seq })}
    </span>
  );
}

export function Verification({ tape }: { tape: TapeDetail }) {
  const { t } = useTranslation();
  const verify = useTapeAct(() => verifyTape(tape.id));
  const pending = verify.isPending || tape.verified?.pending === true;
  return (
    <>
      <Trouble text={verify.trouble} />
      <span role="status">
        {pending ? (
          <span className="small-text muted">{t("tape.verifying")}</span>
        ) : (
          <Finding tape={tape} />
        )}
      </span>
      <button
        type="button"
        className="button"
        disabled={pending}
        onClick={() => verify.mutate(undefined)}
      >
        {tape.verified?.at ? t("tape.verifyAgain") : t("tape.verify")}
      </button>
    </>
  );
}
