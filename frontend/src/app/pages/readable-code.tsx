/** Which code the answers may come from, and how fresh its index is. */
import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import type { Repository } from "@/api/types";
import { Icon } from "@/components/icon";
import { ago } from "@/lib/wording";

const named = 4;

/** The oldest index counts: an answer is only as fresh as the code it may miss. */
function indexedSince(repositories: Repository[]): string | null {
  const dates = repositories.flatMap((each) => each.branches.map((branch) => branch.indexed_at));
  return dates.filter((date) => date !== null).sort()[0] ?? null;
}

export function ReadableCode({ repositories }: { repositories: Repository[] }) {
  const { t, i18n } = useTranslation();
  const since = indexedSince(repositories);
  if (repositories.length === 0) return <p className="readable">{t("ask.noCode")}</p>;
  return (
    <p className="readable">
      <span>{t("ask.codeYouCanRead")}</span>
      {repositories.slice(0, named).map((repository) => (
        <Link key={repository.id} to="/repositories">
          {repository.name}
        </Link>
      ))}
      {repositories.length > named && (
        <span>{t("ask.andMore", { count: repositories.length - named })}</span>
      )}
      <span className="grow" />
      {since && (
        <span className="row">
          <Icon name="check" />
          {t("ask.indexed", { ago: ago(since, i18n.language) })}
        </span>
      )}
    </p>
  );
}
