/** A list without topics: nothing asked yet, or nothing that fits the filter. */
import { Link, useNavigate } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { StatePanel } from "@/components/state-panel";
import { remember } from "@/lib/remembered";

type Props = { filtered: boolean; words: string; onClear: () => void };

export function NoTopics({ filtered, words, onClear }: Props) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  if (!filtered) {
    return (
      <StatePanel icon="topics" title={t("topics.empty")} text={t("topics.emptyHint")}>
        <Link className="button primary" to="/">
          {t("topics.askFirst")}
        </Link>
      </StatePanel>
    );
  }
  const ask = () => {
    remember("draft:new", words);
    void navigate({ to: "/" });
  };
  return (
    <StatePanel icon="search" title={t("topics.none")} text={t("topics.noneHint")}>
      {words && (
        <button type="button" className="button primary" onClick={ask}>
          {t("topics.askIt")}
        </button>
      )}
      <button type="button" className="quiet" onClick={onClear}>
        {t("topics.clear")}
      </button>
    </StatePanel>
  );
}
