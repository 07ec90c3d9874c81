/** Which repositories a question looks in, and which branch when it is a single one. */
import { useTranslation } from "react-i18next";
import type { Repository } from "@/api/types";
import { Disclosure } from "@/components/disclosure";
import { Icon } from "@/components/icon";

export type Scope = { repositories: number[]; branch: string };

export const everywhere: Scope = { repositories: [], branch: "" };

type Props = { repositories: Repository[]; scope: Scope; onChange: (scope: Scope) => void };

function toggled(ids: number[], id: number): number[] {
  return ids.includes(id) ? ids.filter((each) => each !== id) : [...ids, id];
}

function Choices({ repositories, scope, onChange }: Props) {
  const { t } = useTranslation();
  return (
    <>
      {repositories.map((repository) => (
        <label key={repository.id} className="menu-item">
          <input
            type="checkbox"
            checked={scope.repositories.includes(repository.id)}
            onChange={() =>
              onChange({ repositories: toggled(scope.repositories, repository.id), branch: "" })
            }
          />
          {repository.name}
        </label>
      ))}
      {scope.repositories.length > 0 && (
        <button type="button" className="text-button" onClick={() => onChange(everywhere)}>
          {t("scope.clear")}
        </button>
      )}
    </>
  );
}

function BranchPicker({ repositories, scope, onChange }: Props) {
  const { t } = useTranslation();
  const [only] = scope.repositories;
  const repository = repositories.find((each) => each.id === only);
  if (scope.repositories.length !== 1 || !repository || repository.branches.length < 2) return null;
  return (
    <label className="quiet only-wide">
      <Icon name="branch" />
      <span className="hidden">{t("scope.branch")}</span>
      <select
        value={scope.branch}
        onChange={(event) => onChange({ ...scope, branch: event.target.value })}
      >
        <option value="">{t("scope.defaultBranch")}</option>
        {repository.branches.map((branch) => (
          <option key={branch.name}>{branch.name}</option>
        ))}
      </select>
    </label>
  );
}

export function ScopePicker(props: Props) {
  const { t } = useTranslation();
  const { repositories, scope } = props;
  if (repositories.length === 0) return null;
  const chosen = repositories.filter((each) => scope.repositories.includes(each.id));
  const label =
    chosen.length > 0
      ? chosen.map((each) => each.name).join(t("turn.comma"))
      : t("scope.all", { count: repositories.length });
  return (
    <>
      <Disclosure
        panelLabel={t("scope.choose")}
        label={
          <>
            <Icon name="repositories" />
            <span className="ellipsis">{label}</span>
          </>
        }
      >
        <Choices {...props} />
      </Disclosure>
      <BranchPicker {...props} />
    </>
  );
}
