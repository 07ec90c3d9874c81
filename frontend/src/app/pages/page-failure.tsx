/** A page that could not be shown at all. */
import type { ErrorComponentProps } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { Failure } from "@/components/failure";

export function PageFailure({ error }: ErrorComponentProps) {
  const { t } = useTranslation();
  return (
    <main className="page lone">
      <Failure
        heading="h1"
        title={t("states.page")}
        error={error}
        onRetry={() => window.location.reload()}
      />
    </main>
  );
}
