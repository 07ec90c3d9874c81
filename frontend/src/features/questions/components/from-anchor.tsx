/** From which anchor a question is asked, and the way back to asking as usual. */
import { Trans, useTranslation } from "react-i18next";
import { Icon } from "@/components/icon";
import type { After } from "../api/preview";

export function FromAnchor({ after, onLeave }: { after: After; onLeave: () => void }) {
  const { t } = useTranslation();
  return (
    <p className="from-anchor" id="from-anchor">
      <Icon name="tape" />
      <span className="grow">
        <Trans
          i18nKey="ask.fromAnchor"
          values={{ anchor: after.name, seq: after.seq }}
          components={{ anchor: <b dir="auto" /> }}
        />
        <button type="button" className="text-button" onClick={onLeave}>
          {t("ask.leaveAnchor")}
        </button>
      </span>
    </p>
  );
}
