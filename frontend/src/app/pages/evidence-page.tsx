/** One piece of evidence at its permanent address. */
import { useParams } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { EvidenceBody } from "@/features/evidence/components/evidence-body";
import { usePageTitle } from "@/lib/page-title";

export function EvidencePage() {
  const { t } = useTranslation();
  const { evidence } = useParams({ from: "/shell/evidence/$evidence" });
  usePageTitle(t("evidence.title"));
  return (
    <main className="evidence-page">
      <h1 className="hidden">{t("evidence.title")}</h1>
      <EvidenceBody id={Number(evidence)} />
    </main>
  );
}
