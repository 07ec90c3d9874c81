/** Which groups may read a repository: each with how many people that is. */
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Repository } from "@/api/types";
import { FormSheet } from "@/components/form-sheet";
import { Trouble } from "@/components/trouble";
import { groupsQuery } from "../api/list-groups";
import { setGrants } from "../api/set-grants";
import { GroupChoice } from "./group-choice";
import { useChange } from "./use-change";

type Props = { repository: Repository; onClose: () => void };

export function GrantsDialog({ repository, onClose }: Props) {
  const { t } = useTranslation();
  const { data: groups = [] } = useQuery(groupsQuery);
  const [chosen, setChosen] = useState(repository.groups.map((group) => group.id));
  const grant = useChange((ids: number[]) => setGrants(repository.id, ids), onClose);
  return (
    <FormSheet
      title={t("repositories.grantsOf", { name: repository.name })}
      disabled={grant.isPending}
      onSubmit={() => grant.mutate(chosen)}
      onClose={onClose}
    >
      <GroupChoice groups={groups} chosen={chosen} onChange={setChosen} />
      <p className="small muted">{t("repositories.grantsHint")}</p>
      <Trouble text={grant.trouble} />
    </FormSheet>
  );
}
