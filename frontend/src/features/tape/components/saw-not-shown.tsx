/** What of the tape the model was not shown: forks, what lies before the window, what was withheld. */
import { useTranslation } from "react-i18next";
import type { SeenCall } from "@/api/types";
import { listText } from "@/lib/wording";
import { rangeWords } from "../words/figures";

type Props = { hidden: SeenCall["hidden"]; onGo: (seq: number) => void };

function usePieces({ before, forks, withheld }: SeenCall["hidden"]): string[] {
  const { t, i18n } = useTranslation();
  const pieces = forks.map((fork) => t("saw.fork", { count: fork.entries, number: fork.id }));
  if (before) {
    const range = rangeWords(before.first, before.last, i18n.language);
    pieces.push(t("saw.before", { range }));
  }
  if (withheld.length > 0) {
    const entries = listText(withheld.map(String), i18n.language);
    pieces.push(t("saw.withheld", { entries }));
  }
  return pieces;
}

export function SawNotShown({ hidden, onGo }: Props) {
  const { t } = useTranslation();
  const pieces = usePieces(hidden);
  const fork = hidden.forks.find((each) => each.first_seq !== null);
  return (
    <div className="saw-end small muted">
      <p>
        {pieces.length > 0
          ? t("saw.notShown", { pieces: pieces.join(t("saw.semicolon")) })
          : t("saw.allShown")}
      </p>
      {fork?.first_seq && (
        <button
          type="button"
          className="text-button"
          onClick={() => fork.first_seq && onGo(fork.first_seq)}
        >
          {t("saw.toFork", { number: fork.id })}
        </button>
      )}
    </div>
  );
}
