/** Ends the session on this browser. */
import { useQueryClient } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { Icon } from "@/components/icon";
import { signOut } from "@/features/session/api/sign-out";

export function SignOutButton() {
  const { t } = useTranslation();
  const cache = useQueryClient();
  const leave = async () => {
    await signOut();
    cache.clear();
    // A fresh page: nothing of the person stays in memory.
    window.location.assign("/sign-in");
  };
  return (
    <button
      type="button"
      className="icon-button"
      aria-label={t("nav.signOut")}
      title={t("nav.signOut")}
      onClick={leave}
    >
      <Icon name="signOut" />
    </button>
  );
}
