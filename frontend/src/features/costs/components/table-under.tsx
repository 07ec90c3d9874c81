/** The table of a plot, folded under it. */
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Icon } from "@/components/icon";

export function TableUnder({ children }: { children: ReactNode }) {
  const { t } = useTranslation();
  return (
    <details className="table-under">
      <summary>
        <Icon name="chevron" />
        {t("costs.table")}
      </summary>
      {children}
    </details>
  );
}
