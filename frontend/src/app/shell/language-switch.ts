/** Switching between the two languages: at once here, and with the person's account. */
import { useTranslation } from "react-i18next";
import { setLanguage } from "@/features/session/api/set-language";
import { type Language, switchLanguage } from "@/lib/i18n";

export function useLanguageSwitch(): { otherLocale: string; switchIt: () => void } {
  const { i18n } = useTranslation();
  const other: Language = i18n.language === "zh" ? "en" : "zh";
  const switchIt = () => {
    void switchLanguage(other);
    // This device remembers the choice itself; the account's copy is for the next device.
    setLanguage(other).catch(() => undefined);
  };
  return { otherLocale: other === "zh" ? "zh-CN" : "en", switchIt };
}
