/** A passage from code the reader may not read: its place is kept and named. */
import { useTranslation } from "react-i18next";
import { Icon } from "@/components/icon";

export function Withheld() {
  const { t } = useTranslation();
  return (
    <div className="withheld">
      <p className="row">
        <Icon name="lock" />
        <b>{t("turn.withheld")}</b>
      </p>
      <p>{t("turn.withheldHint")}</p>
    </div>
  );
}
