/** What staff call a repository, in both languages: shown in the reader's, edited in place in both. */
import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Repository } from "@/api/types";
import { FormField } from "@/components/form-field";
import { Icon } from "@/components/icon";
import { Trouble } from "@/components/trouble";
import { languageOf } from "@/lib/wording";
import { changeRepository } from "../api/change-repository";
import { aboutWords } from "../words/state";
import { useChange } from "./use-change";

function Editor({ repository, onDone }: { repository: Repository; onDone: () => void }) {
  const { t } = useTranslation();
  const [zh, setZh] = useState(repository.description.zh);
  const [en, setEn] = useState(repository.description.en);
  const save = useChange(
    () => changeRepository(repository.id, { description: { zh: zh.trim(), en: en.trim() } }),
    onDone,
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate(undefined);
  };
  return (
    <form
      className="form description-form"
      onSubmit={submit}
      onKeyDown={(event) => event.key === "Escape" && onDone()}
    >
      <FormField
        label={t("repositories.aboutZh")}
        lang="zh-CN"
        value={zh}
        autoFocus
        onChange={(event) => setZh(event.target.value)}
      />
      <FormField
        label={t("repositories.aboutEn")}
        lang="en"
        value={en}
        onChange={(event) => setEn(event.target.value)}
      />
      <p className="small muted">{t("repositories.aboutHint")}</p>
      <Trouble text={save.trouble} />
      <div className="row form-end">
        <button type="button" className="quiet" onClick={onDone}>
          {t("form.cancel")}
        </button>
        <button type="submit" className="button small-button" disabled={save.isPending}>
          {t("form.save")}
        </button>
      </div>
    </form>
  );
}

export function Description({ repository }: { repository: Repository }) {
  const { t, i18n } = useTranslation();
  const [editing, setEditing] = useState(false);
  const about = aboutWords(repository, i18n.language);
  if (editing) return <Editor repository={repository} onDone={() => setEditing(false)} />;
  return (
    <div className="row description">
      <p className={about ? "" : "muted"}>
        <span lang={about ? languageOf(about) : undefined}>
          {about || t("repositories.noAbout")}
        </span>
        {about && repository.draft && <span className="tag">{t("repositories.draft")}</span>}
      </p>
      {repository.may_manage && (
        <button
          type="button"
          className="icon-button"
          aria-label={t("repositories.editAbout")}
          onClick={() => setEditing(true)}
        >
          <Icon name="pen" />
        </button>
      )}
    </div>
  );
}
