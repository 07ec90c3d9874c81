/** Who may read a repository: its groups, each with how many people. */
import { useTranslation } from "react-i18next";
import type { Repository } from "@/api/types";
import { Icon } from "@/components/icon";

export function Readers({ repository }: { repository: Repository }) {
  const { t } = useTranslation();
  const groups = repository.groups ?? [];
  return (
    <section className="block">
      <h3 className="section-title">{t("repositories.readers")}</h3>
      <p className="row wrap tags">
        {groups.map((group) => (
          <span key={group.id} className="tag dotted" dir="auto">
            <span>{group.name}</span>
            <span>{t("repositories.people", { count: group.people })}</span>
          </span>
        ))}
        {groups.length === 0 && (
          <span className="small-text muted">{t("repositories.nobody")}</span>
        )}
      </p>
      {repository.readable === false && (
        <p className="row small muted">
          <Icon name="lock" />
          {t("repositories.notYours")}
        </p>
      )}
    </section>
  );
}
