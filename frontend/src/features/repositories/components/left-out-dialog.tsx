/** Every file left out for one reason, a page at a time. */
import { useInfiniteQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { MoreButton } from "@/components/more-button";
import { Sheet } from "@/components/sheet";
import { Skeleton } from "@/components/skeleton";
import { Trouble } from "@/components/trouble";
import { problemText } from "@/lib/problems";
import { skippedQuery } from "../api/list-skipped";
import { skipHint } from "../words/skipping";

type Props = { repository: number; reason: string; title: string; onClose: () => void };

export function LeftOutDialog({ repository, reason, title, onClose }: Props) {
  const { t } = useTranslation();
  const query = useInfiniteQuery(skippedQuery(repository, reason));
  const files = query.data?.pages.flatMap((page) => page.results) ?? [];
  return (
    <Sheet title={title} className="wide" onClose={onClose}>
      <p className="small-text muted">{skipHint(reason, t)}</p>
      {query.isPending && <Skeleton text={t("states.loadingFiles")} />}
      <Trouble text={query.error ? problemText(query.error, t) : null} />
      <ul className="path-list">
        {files.map((file) => (
          <li key={file.path} className="path" translate="no">
            {file.path}
          </li>
        ))}
      </ul>
      <MoreButton pages={query} />
    </Sheet>
  );
}
