/** Whether the lines were checked, and ways to take them along. */
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { EvidenceLines } from "@/api/types";
import { Icon } from "@/components/icon";

function citedText(evidence: EvidenceLines): string {
  return evidence.lines
    .filter((line) => line.cited)
    .map((line) => line.text)
    .join("\n");
}

export function EvidenceFooter({ evidence }: { evidence: EvidenceLines }) {
  const { t } = useTranslation();
  const [done, setDone] = useState<"copied" | "linkCopied" | null>(null);
  const take = async (text: string, said: "copied" | "linkCopied") => {
    await navigator.clipboard.writeText(text);
    setDone(said);
  };
  return (
    <footer>
      {evidence.valid ? (
        <span className="row small good grow">
          <Icon name="check" />
          {t("evidence.checked")}
        </span>
      ) : (
        <span className="row small bad grow">
          <Icon name="warning" />
          {t("evidence.invalid")}
        </span>
      )}
      <button type="button" className="quiet" onClick={() => take(citedText(evidence), "copied")}>
        <Icon name="copy" />
        {done === "copied" ? t("evidence.copied") : t("evidence.copy")}
      </button>
      <button
        type="button"
        className="quiet"
        onClick={() => take(`${window.location.origin}/evidence/${evidence.id}`, "linkCopied")}
      >
        <Icon name="link" />
        {done === "linkCopied" ? t("evidence.linkCopied") : t("evidence.link")}
      </button>
      <span className="hidden" role="status">
        {done && t(`evidence.${done}`)}
      </span>
    </footer>
  );
}
