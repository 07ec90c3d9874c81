/** What a repository is called here, and which of its branches is asked when none is named. */
import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Repository, RepositoryChange } from "@/api/types";
import { Trouble } from "@/components/trouble";
import { changeRepository } from "../api/change-repository";
import { useChange } from "./use-change";

export function Naming({ repository }: { repository: Repository }) {
  const { t } = useTranslation();
  const change = useChange((wanted: RepositoryChange) => changeRepository(repository.id, wanted));
  const names = repository.branches.map((branch) => branch.name);
  return (
    <>
      <Name
        // Another repository, or another name from elsewhere, is what is edited from then on.
        key={`${repository.id} ${repository.name}`}
        name={repository.name}
        busy={change.isPending}
        onRename={(name) => change.mutate({ name })}
      />
      {names.length > 1 && (
        <label className="setting">
          <span>
            {t("repositories.defaultBranch")}
            <span className="small muted setting-hint">{t("repositories.defaultBranchHint")}</span>
          </span>
          <select
            className="select"
            value={repository.default_branch}
            disabled={change.isPending}
            onChange={(event) => change.mutate({ default_branch: event.target.value })}
          >
            {names.map((name) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        </label>
      )}
      <Trouble text={change.trouble} />
    </>
  );
}

type NameProps = { name: string; busy: boolean; onRename: (name: string) => void };

function Name({ name, busy, onRename }: NameProps) {
  const { t } = useTranslation();
  const [text, setText] = useState(name);
  const wanted = text.trim();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (wanted && wanted !== name) onRename(wanted);
  };
  return (
    <form className="setting" onSubmit={submit}>
      <label htmlFor="repository-name">{t("repositories.name")}</label>
      <span className="row">
        <input
          id="repository-name"
          type="text"
          className="plain-input"
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
        {wanted !== name && (
          <button type="submit" className="button small-button" disabled={busy || !wanted}>
            {t("repositories.rename")}
          </button>
        )}
      </span>
    </form>
  );
}
