/** Adding a pair of words, or putting another code word in the place of a wrong one. */
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { NewCorrection, Term } from "@/api/types";
import { FormField } from "@/components/form-field";
import { FormSheet } from "@/components/form-sheet";
import { Trouble } from "@/components/trouble";
import { problemField } from "@/lib/problems";
import { correctTerm } from "../api/correct-term";
import type { Named } from "./term-filters";
import { useCorrection } from "./use-correction";

/** The new pair first: should the second act fail, nothing that worked is lost. */
async function keep(wanted: NewCorrection, wrong: Term | null): Promise<void> {
  await correctTerm(wanted);
  const same = wrong?.word === wanted.word && wrong.code === wanted.code;
  if (!wrong || same) return;
  const { word, code, repository } = wrong;
  await correctTerm({
    word,
    code,
    repository: repository?.id ?? null,
    state: "suppressed",
    note: wanted.note,
  });
}

type Props = {
  /** The pair to be corrected, or the word to begin with. */
  from: Term | { word: string } | null;
  repositories: Named[];
  onClose: () => void;
};

export function TermDialog({ from, repositories, onClose }: Props) {
  const { t } = useTranslation();
  const wrong = from && "code" in from ? from : null;
  const [word, setWord] = useState(from?.word ?? "");
  const [code, setCode] = useState(wrong?.code ?? "");
  const [repository, setRepository] = useState(wrong?.repository?.id ?? 0);
  const [note, setNote] = useState("");
  const save = useCorrection(
    () =>
      keep(
        {
          word: word.trim(),
          code: code.trim(),
          repository: repository || null,
          state: "added",
          note: note.trim(),
        },
        wrong,
      ),
    onClose,
  );
  const field = problemField(save.error);
  const at = (name: string) => (field === name ? save.trouble : null);
  const title = wrong ? t("vocabulary.correctTitle", { word: wrong.word }) : t("vocabulary.add");
  return (
    <FormSheet
      title={title}
      disabled={save.isPending}
      onSubmit={() => save.mutate(undefined)}
      onClose={onClose}
    >
      <FormField
        label={t("vocabulary.word")}
        hint={t("vocabulary.wordHint")}
        trouble={at("word")}
        value={word}
        required
        onChange={(event) => setWord(event.target.value)}
      />
      <FormField
        label={t("vocabulary.code")}
        hint={t("vocabulary.codeHint")}
        trouble={at("code")}
        value={code}
        required
        spellCheck={false}
        onChange={(event) => setCode(event.target.value)}
      />
      <label className="form-field">
        <span>{t("vocabulary.repository")}</span>
        <select
          className="select"
          value={repository}
          onChange={(event) => setRepository(Number(event.target.value))}
        >
          <option value={0}>{t("vocabulary.everyRepository")}</option>
          {repositories.map((each) => (
            <option key={each.id} value={each.id}>
              {each.name}
            </option>
          ))}
        </select>
      </label>
      <FormField
        label={t("vocabulary.note")}
        value={note}
        onChange={(event) => setNote(event.target.value)}
      />
      {wrong && <p className="small muted">{t("vocabulary.correctHint", { code: wrong.code })}</p>}
      <Trouble text={field === "word" || field === "code" ? null : save.trouble} />
    </FormSheet>
  );
}
