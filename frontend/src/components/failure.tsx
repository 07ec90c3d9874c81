/** Something could not be fetched: said plainly, with a way to try again and the request's number. */
import { useTranslation } from "react-i18next";
import { ApiError } from "@/api/errors";
import { StatePanel } from "./state-panel";

type Props = {
  title: string;
  text?: string;
  heading?: "h1" | "h2";
  error: unknown;
  onRetry: () => void;
};

export function Failure({ title, text, heading, error, onRetry }: Props) {
  const { t } = useTranslation();
  const number = error instanceof ApiError ? error.requestNumber : null;
  return (
    <StatePanel icon="warning" title={title} text={text ?? t("states.safe")} heading={heading}>
      <button type="button" className="button primary" onClick={onRetry}>
        {t("states.tryAgain")}
      </button>
      {number && <span className="mono small muted">{number}</span>}
    </StatePanel>
  );
}
