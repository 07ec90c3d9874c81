/** One repository in the list: what it is about, how fresh it is, and how far an indexing has come. */
import { useTranslation } from "react-i18next";
import type { Repository } from "@/api/types";
import { languageOf } from "@/lib/wording";
import { aboutWords, metaWords } from "../words/state";
import { Progress } from "./progress";
import { Status } from "./status";

export function RepositoryRow({ repository }: { repository: Repository }) {
  const { t, i18n } = useTranslation();
  const about = aboutWords(repository, i18n.language);
  return (
    <>
      <div className="row">
        <h2 className="grow ellipsis">{repository.name}</h2>
        <Status repository={repository} />
      </div>
      {about && (
        <p className="small-text muted ellipsis" lang={languageOf(about)}>
          {about}
        </p>
      )}
      <Progress repository={repository} />
      <p className="small muted dotted meta">
        {metaWords(repository, t, i18n.language).map((words) => (
          <span key={words}>{words}</span>
        ))}
      </p>
    </>
  );
}
