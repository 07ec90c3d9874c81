/** Where a link leads: to its topic or view, or nowhere when it holds no more. */
import { useQuery } from "@tanstack/react-query";
import { Link, Navigate, useParams } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { isMissing } from "@/api/errors";
import { Failure } from "@/components/failure";
import { Skeleton } from "@/components/skeleton";
import { StatePanel } from "@/components/state-panel";
import { followLink } from "@/features/sharing/api/follow-link";

export function LinkPage() {
  const { t } = useTranslation();
  const { token } = useParams({ from: "/shell/s/$token" });
  const followed = useQuery({
    queryKey: ["link", token],
    queryFn: () => followLink(token),
    retry: false,
    gcTime: 0,
  });
  const { topic, view } = followed.data ?? {};
  if (topic) return <Navigate to="/topics/$topic" params={{ topic: String(topic) }} replace />;
  if (view) return <Navigate to="/views/$view" params={{ view: String(view) }} replace />;
  return (
    <main className="page lone">
      {isMissing(followed.error) ? (
        <StatePanel heading="h1" icon="lock" title={t("share.noLink")} text={t("share.noLinkHint")}>
          <Link className="button primary" to="/topics">
            {t("states.toTopics")}
          </Link>
        </StatePanel>
      ) : followed.error ? (
        <Failure
          heading="h1"
          title={t("states.topic")}
          error={followed.error}
          onRetry={followed.refetch}
        />
      ) : (
        <Skeleton text={t("states.loadingTopic")} />
      )}
    </main>
  );
}
