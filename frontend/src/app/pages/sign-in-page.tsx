/** Signing in, then back to where one was going. */
import { useQueryClient } from "@tanstack/react-query";
import { useRouter, useSearch } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { Brand } from "@/components/brand";
import { Icon } from "@/components/icon";
import { sessionQuery } from "@/features/session/api/get-session";
import { SignInForm } from "@/features/session/components/sign-in-form";
import { switchLanguage } from "@/lib/i18n";
import { usePageTitle } from "@/lib/page-title";
import { switchTheme } from "@/lib/theme";

/** Only addresses of this site: a crafted link must not lead away after signing in. */
function ownAddress(next: string | undefined): string {
  return next && /^\/(?![/\\])/.test(next) ? next : "/";
}

export function SignInPage() {
  const { t, i18n } = useTranslation();
  const { next } = useSearch({ from: "/sign-in" });
  const router = useRouter();
  const cache = useQueryClient();
  usePageTitle(t("signIn.title"));
  const other = i18n.language === "zh" ? "en" : "zh";

  const onSignedIn = async () => {
    await cache.resetQueries();
    await cache.fetchQuery({ ...sessionQuery, staleTime: 0 });
    router.history.push(ownAddress(next));
  };

  return (
    <main className="sign-in" id="content">
      <p className="brand">
        <Brand />
      </p>
      <h1>{t("signIn.title")}</h1>
      <p className="lead">{t("signIn.lead")}</p>
      <SignInForm onSignedIn={onSignedIn} />
      <p className="row sign-in-foot">
        <button type="button" className="quiet" onClick={() => switchLanguage(other)}>
          <Icon name="language" />
          <span lang={other === "zh" ? "zh-CN" : "en"}>{t("nav.otherLanguage")}</span>
        </button>
        <button type="button" className="quiet" onClick={switchTheme}>
          <Icon name="theme" />
          {t("nav.theme")}
        </button>
      </p>
    </main>
  );
}
