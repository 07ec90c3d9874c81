/** Adding a repository: where it is, who may read it, what staff call it. */
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { NewRepository, Repository } from "@/api/types";
import { FormField } from "@/components/form-field";
import { FormSheet } from "@/components/form-sheet";
import { Trouble } from "@/components/trouble";
import { problemField } from "@/lib/problems";
import { addRepository } from "../api/add-repository";
import { groupsQuery } from "../api/list-groups";
import { GroupChoice } from "./group-choice";
import { useChange } from "./use-change";

const shownFields = ["name", "source", "branches", "description", "login"];

function readForm(form: HTMLFormElement, groups: number[]): NewRepository {
  const fields = new FormData(form);
  const said = (name: string) => String(fields.get(name) ?? "").trim();
  const token = said("token");
  return {
    name: said("name"),
    source: said("source"),
    branches: said("branches")
      .split(/[\s,，、]+/)
      .filter(Boolean),
    groups,
    description: { zh: said("zh"), en: said("en") },
    ...(token ? { login: { username: said("username"), token } } : {}),
  };
}

function Login({ trouble }: { trouble: string | null }) {
  const { t } = useTranslation();
  return (
    <details className="more-fields" open={trouble !== null || undefined}>
      <summary>{t("repositories.login")}</summary>
      <FormField name="username" label={t("repositories.loginName")} autoComplete="off" />
      <FormField
        name="token"
        type="password"
        label={t("repositories.token")}
        hint={t("repositories.tokenHint")}
        autoComplete="new-password"
        trouble={trouble}
      />
    </details>
  );
}

type Props = { onClose: () => void; onAdded: (repository: Repository) => void };

export function AddDialog({ onClose, onAdded }: Props) {
  const { t } = useTranslation();
  const { data: groups = [] } = useQuery(groupsQuery);
  const [chosen, setChosen] = useState<number[]>([]);
  const add = useChange(addRepository, (added) => {
    onClose();
    onAdded(added);
  });
  const field = problemField(add.error);
  const at = (name: string) => (field === name ? add.trouble : null);
  return (
    <FormSheet
      title={t("repositories.add")}
      className="wide"
      act={t("repositories.addIt")}
      disabled={add.isPending}
      noValidate
      onSubmit={(form) => add.mutate(readForm(form, chosen))}
      onClose={onClose}
    >
      <FormField
        name="name"
        label={t("repositories.name")}
        hint={t("repositories.nameHint")}
        trouble={at("name")}
      />
      <FormField
        name="source"
        label={t("repositories.source")}
        hint={t("repositories.sourceHint")}
        trouble={at("source")}
        spellCheck={false}
      />
      <FormField
        name="branches"
        label={t("repositories.branches")}
        hint={t("repositories.branchesHint")}
        trouble={at("branches")}
        spellCheck={false}
      />
      <FormField name="zh" lang="zh-CN" label={t("repositories.aboutZh")} />
      <FormField
        name="en"
        lang="en"
        label={t("repositories.aboutEn")}
        hint={t("repositories.aboutHint")}
        trouble={at("description")}
      />
      <GroupChoice groups={groups} chosen={chosen} onChange={setChosen} />
      <Login trouble={at("login")} />
      <Trouble text={field && shownFields.includes(field) ? null : add.trouble} />
    </FormSheet>
  );
}
