/** What has happened on the branch since the answer: the lines changed, or their file went. */
import { Trans } from "react-i18next";
import type { EvidenceState } from "@/api/types";
import { Icon } from "@/components/icon";

export function Since({ evidence }: { evidence: EvidenceState }) {
  const { branch, changed_since: changed, gone } = evidence;
  if (evidence.missing || !(changed || gone)) return null;
  return (
    <p className="changed">
      <Icon name="clock" />
      <span>
        <Trans
          i18nKey={gone ? "evidence.gone" : "evidence.changed"}
          values={{ branch }}
          components={{ b: <b /> }}
        />
      </span>
    </p>
  );
}
