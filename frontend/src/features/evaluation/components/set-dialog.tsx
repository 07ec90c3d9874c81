/** A set's name and its questions as JSON lines; a bad line is named beside the text. */
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { ApiError } from "@/api/errors";
import type { EvaluationSet } from "@/api/types";
import { FormArea, FormField } from "@/components/form-field";
import { FormSheet } from "@/components/form-sheet";
import { problemField } from "@/lib/problems";
import { saveEvaluation } from "../api/save-evaluation";
import { useEvaluationChange } from "./use-evaluation-change";

const example =
  '{"question": "退款失败后会自动重试吗？", "gold": [{"repo": "billing", "path": "refunds/retry.py", "start_line": 28, "end_line": 45}]}';

/** The text of the line that was refused, so that it is found at a glance. */
function badLine(error: unknown, text: string): string | null {
  if (!(error instanceof ApiError) || error.code !== "bad_line") return null;
  const { line } = error.details as { line?: number };
  return text.split("\n")[(line ?? 0) - 1] ?? null;
}

type Props = {
  set: { id: number; name: string; source: string } | null;
  onClose: () => void;
  onSaved?: (set: EvaluationSet) => void;
};

export function SetDialog({ set, onClose, onSaved }: Props) {
  const { t } = useTranslation();
  const [name, setName] = useState(set?.name ?? "");
  const [questions, setQuestions] = useState(set?.source ?? "");
  const save = useEvaluationChange(
    () => saveEvaluation(set?.id ?? null, { name: name.trim(), questions }),
    (saved) => {
      onClose();
      onSaved?.(saved);
    },
  );
  const isName = problemField(save.error) === "name" || isTaken(save.error);
  const line = badLine(save.error, questions);
  return (
    <FormSheet
      title={set ? t("evaluation.edit") : t("evaluation.add")}
      className="wide"
      disabled={save.isPending}
      noValidate
      onSubmit={() => save.mutate(undefined)}
      onClose={onClose}
    >
      <FormField
        label={t("evaluation.name")}
        value={name}
        trouble={isName ? save.trouble : null}
        onChange={(event) => setName(event.target.value)}
      />
      <FormArea
        label={t("evaluation.lines")}
        hint={t("evaluation.linesHint")}
        className="json-lines"
        rows={10}
        wrap="off"
        spellCheck={false}
        placeholder={example}
        value={questions}
        trouble={isName ? null : save.trouble}
        onChange={(event) => setQuestions(event.target.value)}
      />
      {line && <pre className="bad-line">{line}</pre>}
    </FormSheet>
  );
}

function isTaken(error: unknown): boolean {
  return error instanceof ApiError && error.code === "name_taken";
}
