/** How the front end is built, served while developing, and tested. */
import { fileURLToPath } from "node:url";
import react from "@vitejs/plugin-react";
import type { Plugin } from "vite";
import { defineConfig } from "vitest/config";

const server = process.env.KB_AGENT_DEV_SERVER ?? "http://127.0.0.1:8000";

/** tokens.css also speaks to Tailwind, in a block that browsers skip and that the build may drop. */
const plainTokens: Plugin = {
  name: "plain-tokens",
  enforce: "pre",
  transform(code, id) {
    if (!id.endsWith("tokens.css")) return null;
    return { code: code.replace(/@theme inline \{[^}]*\}/, ""), map: null };
  },
};

export default defineConfig({
  plugins: [plainTokens, react()],
  resolve: { alias: { "@": fileURLToPath(new URL("./src", import.meta.url)) } },
  worker: { format: "es" },
  build: {
    // light-dark() is kept as written: older targets would expand it and lose the theme switch.
    target: ["chrome125", "firefox128", "safari18"],
    chunkSizeWarningLimit: 1000,
  },
  server: {
    proxy: { "/api": { target: server }, "/_allauth": { target: server } },
  },
  test: {
    environment: "happy-dom",
    environmentOptions: { happyDOM: { url: "http://localhost:3000" } },
    setupFiles: ["src/testing/setup.ts"],
    restoreMocks: true,
  },
});
