/** Beside the topic list: whose knowledge is open, and what the keys do. */
import { useTranslation } from "react-i18next";
import { OpenKnowledge } from "@/features/topics/components/open-knowledge";

export function TopicsRail() {
  const { t } = useTranslation();
  return (
    <aside className="rail only-wide">
      <OpenKnowledge />
      <h2 className="section-title">{t("topics.keyboard")}</h2>
      <p className="small muted">
        <span>
          <kbd>/</kbd> {t("topics.keySearch")}
        </span>
        <span>
          <kbd>J</kbd> <kbd>K</kbd> {t("topics.keyMove")}
        </span>
        <span>
          <kbd>X</kbd> {t("keys.select")}
        </span>
        <span>
          <kbd>Enter</kbd> {t("topics.keyOpen")}
        </span>
        <span>
          <kbd>N</kbd> {t("keys.newTopic")}
        </span>
      </p>
    </aside>
  );
}
