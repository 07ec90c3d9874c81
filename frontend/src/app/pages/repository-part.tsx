/** The chosen repository with its vocabulary; on a phone it stands alone, with the way back to the list. */
import { Link, useNavigate } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import type { Repository } from "@/api/types";
import { Icon } from "@/components/icon";
import { RepositoryDetail } from "@/features/repositories/components/repository-detail";
import { VocabularySample } from "@/features/vocabulary/components/vocabulary-sample";
import { count } from "@/lib/wording";
import { useReviews } from "../shell/nav-links";

function Words({ repository }: { repository: Repository }) {
  const { t, i18n } = useTranslation();
  return (
    <VocabularySample
      repository={repository.id}
      linkToAll={(number) => (
        <Link className="small-text" to="/vocabulary" search={{ repository: repository.id }}>
          {t("vocabulary.allOf", { count: number, formatted: count(number, i18n.language) })}
        </Link>
      )}
    />
  );
}

export function RepositoryPart({ repository }: { repository: Repository }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const reviews = useReviews();
  return (
    <section className="card pick-detail" aria-label={repository.name}>
      <Link className="only-narrow back-link" to="/repositories">
        <Icon name="previous" />
        {t("repositories.title")}
      </Link>
      <RepositoryDetail
        repository={repository}
        vocabulary={reviews && repository.readable && <Words repository={repository} />}
        onRemoved={() => void navigate({ to: "/repositories" })}
      />
    </section>
  );
}
