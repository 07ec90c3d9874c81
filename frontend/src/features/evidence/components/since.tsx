/** What has happened on the branch since the answer: the lines changed, or their file went. */
import { Trans, useTranslation } from "react-i18next";
import type { EvidenceState } from "@/api/types";
import { Icon } from "@/components/icon";

type Props = {
  evidence: EvidenceState;
  /** Whether the change is shown in place of the lines. */
  open: boolean;
  onChange: (open: boolean) => void;
};

export function Since({ evidence, open, onChange }: Props) {
  const { t } = useTranslation();
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
        {!gone && (
          <button
            type="button"
            className="text-button"
            aria-pressed={open}
            onClick={() => onChange(!open)}
          >
            {t(open ? "evidence.hideChange" : "evidence.seeChange")}
          </button>
        )}
      </span>
    </p>
  );
}
