/** Why nothing can be told of a file or its history. */
import { useTranslation } from "react-i18next";
import type { Unavailable as Reason } from "@/api/types";

export function Unavailable({ reason }: { reason: Reason }) {
  const { t } = useTranslation();
  return <p className="panel-empty muted">{t(`evidence.unavailable.${reason}`)}</p>;
}
