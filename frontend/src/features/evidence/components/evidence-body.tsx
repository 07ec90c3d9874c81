/** The evidence itself: header, what has changed since, the lines, the check; or why it is not shown. */
import { useQuery } from "@tanstack/react-query";
import { Trans, useTranslation } from "react-i18next";
import { isMissing } from "@/api/errors";
import { Failure } from "@/components/failure";
import { Icon } from "@/components/icon";
import { Skeleton } from "@/components/skeleton";
import { StatePanel } from "@/components/state-panel";
import { evidenceQuery } from "../api/get-evidence";
import { CodeTable } from "./code-table";
import { EvidenceFooter } from "./evidence-footer";
import { EvidenceHeader } from "./evidence-header";

function ChangedSince({ branch }: { branch: string }) {
  return (
    <p className="changed">
      <Icon name="clock" />
      <span>
        <Trans i18nKey="evidence.changed" values={{ branch }} components={{ b: <b /> }} />
      </span>
    </p>
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
  return (
    <>
      <div className="evidence-head">
        <EvidenceHeader evidence={data} />
      </div>
      {data.changed_since && <ChangedSince branch={data.branch} />}
      {data.missing ? (
        <StatePanel icon="warning" title={t("evidence.missing")} text={t("evidence.missingHint")} />
      ) : (
        <>
          <CodeTable evidence={data} />
          <EvidenceFooter evidence={data} />
        </>
      )}
    </>
  );
}
