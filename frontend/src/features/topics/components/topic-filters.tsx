/** The search box and the status filter of the topic list. */
import { useTranslation } from "react-i18next";
import type { TopicStatus } from "@/api/types";
import { Icon } from "@/components/icon";

const statuses: (TopicStatus | undefined)[] = [undefined, "open", "finalized", "aborted"];

type StatusProps = { status: TopicStatus | undefined; onChange: (status?: TopicStatus) => void };

export function StatusFilter({ status, onChange }: StatusProps) {
  const { t } = useTranslation();
  return (
    <fieldset className="filters" aria-label={t("topics.filter")}>
      {statuses.map((each) => (
        <button
          key={each ?? "all"}
          type="button"
          className="chip"
          aria-pressed={status === each}
          onClick={() => onChange(each)}
        >
          {each ? t(`status.${each}`) : t("topics.all")}
        </button>
      ))}
    </fieldset>
  );
}

export function SearchBox({ text, onChange }: { text: string; onChange: (text: string) => void }) {
  const { t } = useTranslation();
  return (
    <label className="field">
      <Icon name="search" large />
      <span className="hidden">{t("topics.search")}</span>
      <input
        type="search"
        data-search
        value={text}
        dir="auto"
        placeholder={t("topics.placeholder")}
        onChange={(event) => onChange(event.target.value)}
      />
      <kbd className="only-wide">/</kbd>
    </label>
  );
}
