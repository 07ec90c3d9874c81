/** Everything about the chosen repository that its reader, or whoever looks after it, may see. */
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { Repository } from "@/api/types";
import { Icon } from "@/components/icon";
import { metaWords, stateOf } from "../words/state";
import { BranchTable } from "./branch-table";
import { Description } from "./description";
import { DetailHead } from "./detail-head";
import { Figures } from "./figures";
import { LeftOut } from "./left-out";
import { Progress } from "./progress";
import { Readers } from "./readers";
import { Upkeep } from "./upkeep";

/** What is not as it should be, or what is happening: said here too, where it can be acted on. */
function Now({ repository }: { repository: Repository }) {
  const { t, i18n } = useTranslation();
  const state = stateOf(repository);
  if (state === "fresh") return null;
  return (
    <div className={state === "failed" ? "now bad" : "now"} role="status">
      <Progress repository={repository} />
      <p className="small-text dotted">
        {state === "failed" && <Icon name="warning" />}
        {metaWords(repository, t, i18n.language).map((words) => (
          <span key={words}>{words}</span>
        ))}
      </p>
    </div>
  );
}

type Props = { repository: Repository; vocabulary: ReactNode; onRemoved: () => void };

export function RepositoryDetail({ repository, vocabulary, onRemoved }: Props) {
  return (
    <>
      <DetailHead repository={repository} />
      <Description repository={repository} />
      <Now repository={repository} />
      <Figures repository={repository} />
      <BranchTable repository={repository} />
      {vocabulary}
      <LeftOut repository={repository} />
      <Readers repository={repository} />
      {repository.may_manage && <Upkeep repository={repository} onRemoved={onRemoved} />}
    </>
  );
}
