/** Two languages, loaded when used; the choice is remembered and set on the document. */
import i18next from "i18next";
import { initReactI18next } from "react-i18next";
import type en from "@/locales/en.json";
import { recall, remember } from "./remembered";

export type Language = "zh" | "en";

declare module "i18next" {
  interface CustomTypeOptions {
    resources: { translation: typeof en };
  }
}

const catalogues = {
  zh: () => import("@/locales/zh.json"),
  en: () => import("@/locales/en.json"),
};

function preferred(): Language {
  const chosen = recall("language");
  if (chosen === "zh" || chosen === "en") return chosen;
  return navigator.language.startsWith("zh") ? "zh" : "en";
}

async function load(language: Language): Promise<void> {
  if (i18next.hasResourceBundle(language, "translation")) return;
  const catalogue = await catalogues[language]();
  i18next.addResourceBundle(language, "translation", catalogue.default);
}

export function localeOf(language: string): string {
  return language.startsWith("zh") ? "zh-CN" : "en-GB";
}

export async function startLanguages(): Promise<void> {
  await i18next.use(initReactI18next).init({
    lng: preferred(),
    resources: {},
    interpolation: { escapeValue: false },
    returnNull: false,
  });
  await switchLanguage(preferred(), { keep: false });
}

export async function switchLanguage(language: Language, { keep = true } = {}): Promise<void> {
  await load(language);
  await i18next.changeLanguage(language);
  document.documentElement.lang = language === "zh" ? "zh-CN" : "en";
  if (keep) remember("language", language);
}
