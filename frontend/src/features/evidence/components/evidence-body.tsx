/** The evidence itself: header, faces, what has changed since, the lines, the check; or why it is not shown. */
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { isMissing } from "@/api/errors";
import type { EvidenceLines } from "@/api/types";
import { Failure } from "@/components/failure";
import { Skeleton } from "@/components/skeleton";
import { StatePanel } from "@/components/state-panel";
import { evidenceQuery } from "../api/get-evidence";
import { Blame } from "./blame";
import { Change } from "./change";
import { CodeTable } from "./code-table";
import { EvidenceFooter } from "./evidence-footer";
import { EvidenceHeader } from "./evidence-header";
import { Outline } from "./outline";
import { type Face, PanelTabs } from "./panel-tabs";
import { Since } from "./since";
import { type Trail, useTrail } from "./trail";
import { TrailStop } from "./trail-stop";

function Shown({ evidence, face, trail }: { evidence: EvidenceLines; face: Face; trail: Trail }) {
  if (face === "outline") return <Outline evidence={evidence} trail={trail} />;
  if (face === "blame") return <Blame id={evidence.id} />;
  return <CodeTable key={evidence.id} shown={evidence} onName={trail.lookUp} />;
}

function Faces({ evidence }: { evidence: EvidenceLines }) {
  const { t } = useTranslation();
  const [face, setFace] = useState<Face>("code");
  const [comparing, setComparing] = useState(false);
  const trail = useTrail();
  const choose = (next: Face) => {
    setFace(next);
    setComparing(false);
  };
  if (trail.at) return <TrailStop evidence={evidence.id} stop={trail.at} trail={trail} />;
  return (
    <>
      <div className="evidence-head">
        <EvidenceHeader evidence={evidence} />
        {!evidence.missing && <PanelTabs face={face} onChange={choose} />}
      </div>
      <Since evidence={evidence} open={comparing} onChange={setComparing} />
      {evidence.missing ? (
        <StatePanel icon="warning" title={t("evidence.missing")} text={t("evidence.missingHint")} />
      ) : (
        <>
          {comparing ? (
            <Change id={evidence.id} />
          ) : (
            <Shown evidence={evidence} face={face} trail={trail} />
          )}
          <EvidenceFooter evidence={evidence} />
        </>
      )}
    </>
  );
}

export function EvidenceBody({ id }: { id: number }) {
  const { t } = useTranslation();
  const { data, error, isPending, refetch } = useQuery(evidenceQuery(id));
  if (isPending) return <Skeleton text={t("evidence.loading")} />;
  if (isMissing(error)) {
    return (
      <StatePanel icon="lock" title={t("evidence.forbidden")} text={t("evidence.forbiddenHint")} />
    );
  }
  if (!data) {
    return (
      <Failure
        title={t("evidence.failed")}
        text={t("evidence.failedHint")}
        error={error}
        onRetry={() => refetch()}
      />
    );
  }
  return <Faces key={id} evidence={data} />;
}
