/** One step of a turn: what was done and how long it took. */
import { useTranslation } from "react-i18next";
import { LongOutput } from "@/components/long-output";
import { seconds } from "@/lib/wording";
import type { Step } from "../fold/shapes";
import { stepDone } from "../words/step-words";

export function StepLine({ step }: { step: Step }) {
  const { t, i18n } = useTranslation();
  if (step.state === "withheld") {
    return (
      <li>
        <span>{t("step.withheld")}</span>
      </li>
    );
  }
  return (
    <li className={step.state === "running" ? "now" : ""}>
      <span>
        {stepDone(step, t)}
        {step.output && (
          <>
            {" · "}
            <LongOutput output={step.output} />
          </>
        )}
        {step.state === "failed" && (
          <span className="step-trouble"> · {t("step.failed", { code: step.error })}</span>
        )}
        {step.state === "interrupted" && (
          <span className="step-trouble"> · {t("step.interrupted")}</span>
        )}
      </span>
      <span className="nowrap">
        {step.state === "running" && "…"}
        {step.seconds !== null &&
          t("turn.seconds", { value: seconds(step.seconds, i18n.language) })}
      </span>
    </li>
  );
}
