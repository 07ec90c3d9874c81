/** Starts the front end: the language first, so that nothing is drawn in the wrong one. */
import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { startLanguages } from "@/lib/i18n";
import "@/styles/tokens.css";
import "@/styles/base.css";
import "@/styles/controls.css";
import "@/styles/shell.css";
import "@/styles/ask.css";
import "@/styles/topic.css";
import "@/styles/answer.css";
import "@/styles/evidence.css";
import "@/styles/lists.css";
import "@/styles/entries.css";
import "@/styles/tape.css";
import "@/styles/pick.css";
import "@/styles/forms.css";
import "@/styles/figures.css";
import "@/styles/states.css";
import "@/styles/facts.css";
import "@/styles/recalled.css";
import "@/styles/share.css";
import "@/styles/costs.css";
import "@/styles/phone.css";
import { createCache } from "./cache";
import { createPages } from "./router";

const cache = createCache();
const router = createPages(cache);

await startLanguages();
createRoot(document.getElementById("root") as HTMLElement).render(
  <StrictMode>
    <QueryClientProvider client={cache}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </StrictMode>,
);
