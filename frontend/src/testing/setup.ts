/** Before any test: both languages at hand, and a network that knows only what a test tells it. */

import { cleanup } from "@testing-library/react";
import i18next from "i18next";
import { setupServer } from "msw/node";
import { initReactI18next } from "react-i18next";
import { afterAll, afterEach, beforeAll } from "vitest";
import en from "@/locales/en.json";
import zh from "@/locales/zh.json";

export const server = setupServer();

beforeAll(async () => {
  server.listen({ onUnhandledRequest: "error" });
  await i18next.use(initReactI18next).init({
    lng: "en",
    resources: { en: { translation: en }, zh: { translation: zh } },
    interpolation: { escapeValue: false },
  });
});
afterEach(async () => {
  cleanup();
  server.resetHandlers();
  localStorage.clear();
  await i18next.changeLanguage("en");
});
afterAll(() => server.close());
