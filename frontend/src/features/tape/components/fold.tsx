/** A finished topic or segment: its title and figures; its entries are fetched when it is opened. */
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Icon } from "@/components/icon";
import { holds, type Section } from "../fold/stretches";
import { costWords, rangeWords } from "../words/figures";
import { StretchEntries } from "./stretch-entries";
import { useTape } from "./tape-context";

function useTitle({ topic, segment }: Section): string {
  const { t } = useTranslation();
  const title = topic?.title || t("tape.withheldTitle");
  if (segment === null) return t("tape.fold.topic", { title });
  return segment === 1
    ? t("tape.fold.firstSegment", { title })
    : t("tape.fold.segment", { number: segment });
}

function Figures({ section }: { section: Section }) {
  const { t, i18n } = useTranslation();
  const { topic, first, last, segment } = section;
  const cost = topic && segment === null ? costWords(topic, t, i18n.language) : null;
  return (
    <span className="muted dotted">
      <span>{t("tape.fold.entries", { range: rangeWords(first, last, i18n.language) })}</span>
      {topic && segment === null && <span>{t("topic.turns", { count: topic.turn_count })}</span>}
      {topic && <span>{t(`status.${topic.status}`)}</span>}
      {cost && <span>{cost}</span>}
    </span>
  );
}

export function Fold({ section }: { section: Section }) {
  const { t } = useTranslation();
  const { entry } = useTape();
  const [pressed, setPressed] = useState<boolean | null>(null);
  const title = useTitle(section);
  const open = pressed ?? holds(section, entry);
  return (
    <section className="fold" aria-label={title}>
      <div className="fold-head">
        <button
          type="button"
          className="grow"
          data-row
          aria-expanded={open}
          onClick={() => setPressed(!open)}
        >
          <Icon name="chevron" />
          <span>
            <b dir="auto">{title}</b>
            <Figures section={section} />
          </span>
        </button>
        {section.topic && (
          <Link
            className="quiet only-wide"
            to="/topics/$topic"
            params={{ topic: String(section.topic.id) }}
          >
            {t("tape.replay")}
          </Link>
        )}
      </div>
      {open && <StretchEntries first={section.first} last={section.last} />}
    </section>
  );
}
