/** How a turn ended, when it did not simply answer. */
import { useTranslation } from "react-i18next";
import { Icon } from "@/components/icon";

type Ended = { status: string; reason: string };

type EndingKey = keyof typeof import("@/locales/en.json")["ended"];

const byReason: Record<string, EndingKey> = {
  step_limit: "steps",
  token_limit: "tokens",
  time_limit: "seconds",
  answer_truncated: "truncated",
  provider_busy: "provider",
  provider_down: "provider",
  stream_cut: "provider",
  empty_answer: "provider",
  content_filtered: "filtered",
  context_exceeded: "tooLarge",
  question_too_long: "tooLarge",
  overload_limit: "overloads",
  bad_key: "setup",
  model_unknown: "setup",
  request_refused: "setup",
  worker_lost: "lost",
  budget_person: "budgetPerson",
  budget_group: "budgetGroup",
  budget_model: "budgetModel",
  budget_company: "budgetCompany",
};

const byStatus: Record<string, EndingKey> = { stopped: "stopped", failed: "failed", done: "limit" };

function keyFor({ status, reason }: Ended, began: boolean): EndingKey | null {
  if (status === "stopped" && !began) return "stoppedEarly";
  if (status === "done" && (!reason || reason === "answered" || reason === "taken_up")) return null;
  return byReason[reason] ?? byStatus[status] ?? null;
}

export function Ending({ ended, began }: { ended: Ended; began: boolean }) {
  const { t } = useTranslation();
  const key = keyFor(ended, began);
  if (!key) return null;
  const failed = ended.status === "failed";
  return (
    <p className={failed ? "ending bad" : "ending"} role="status">
      <Icon name={failed ? "warning" : "stop"} />
      <span>
        {t(`ended.${key}`)} {failed && ended.reason && <code>{ended.reason}</code>}
      </span>
    </p>
  );
}
