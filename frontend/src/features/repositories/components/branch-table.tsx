/** The branches and tags that are followed: commit, when it was made, when it was indexed. */
import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Repository } from "@/api/types";
import { Icon } from "@/components/icon";
import { Trouble } from "@/components/trouble";
import { ago, calendarDay } from "@/lib/wording";
import { changeRepository } from "../api/change-repository";
import { useChange } from "./use-change";

type Branch = Repository["branches"][number];

function BranchRow({ branch, onRemove }: { branch: Branch; onRemove: (() => void) | null }) {
  const { t, i18n } = useTranslation();
  return (
    <tr>
      <th scope="row">{branch.name}</th>
      <td className="mono">{branch.commit.slice(0, 7)}</td>
      <td>
        {branch.committed_at &&
          t("repositories.committed", { date: calendarDay(branch.committed_at, i18n.language) })}
      </td>
      <td className={branch.indexed_at ? "end good" : "end muted"}>
        {branch.indexed_at
          ? t("repositories.indexed", { ago: ago(branch.indexed_at, i18n.language) })
          : t("repositories.neverIndexed")}
        {onRemove && (
          <button
            type="button"
            className="icon-button"
            aria-label={t("repositories.unfollow", { branch: branch.name })}
            onClick={onRemove}
          >
            <Icon name="close" />
          </button>
        )}
      </td>
    </tr>
  );
}

function Follow({ names, onFollow }: { names: string[]; onFollow: (names: string[]) => void }) {
  const { t } = useTranslation();
  const [name, setName] = useState("");
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const wanted = name.trim();
    if (!wanted || names.includes(wanted)) return;
    onFollow([...names, wanted]);
    setName("");
  };
  return (
    <form className="row follow" onSubmit={submit}>
      <input
        type="text"
        className="plain-input grow"
        aria-label={t("repositories.follow")}
        placeholder={t("repositories.follow")}
        value={name}
        onChange={(event) => setName(event.target.value)}
      />
      <button type="submit" className="button small-button" disabled={!name.trim()}>
        <Icon name="plus" />
        {t("repositories.followIt")}
      </button>
    </form>
  );
}

export function BranchTable({ repository }: { repository: Repository }) {
  const { t } = useTranslation();
  const change = useChange((branches: string[]) => changeRepository(repository.id, { branches }));
  const names = repository.branches.map((branch) => branch.name);
  const removable = repository.may_manage && names.length > 1;
  return (
    <section aria-label={t("repositories.branches")}>
      <table className="plain-table branches">
        <tbody>
          {repository.branches.map((branch) => (
            <BranchRow
              key={branch.name}
              branch={branch}
              onRemove={
                removable ? () => change.mutate(names.filter((name) => name !== branch.name)) : null
              }
            />
          ))}
        </tbody>
      </table>
      {repository.may_manage && <Follow names={names} onFollow={change.mutate} />}
      <Trouble text={change.trouble} />
    </section>
  );
}
