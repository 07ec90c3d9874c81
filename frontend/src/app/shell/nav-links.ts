/** The pages that navigation leads to. */
import type { IconName } from "@/components/icon";

export const navLinks = [
  { to: "/", icon: "ask", text: "nav.ask", short: "nav.ask" },
  { to: "/topics", icon: "topics", text: "nav.topics", short: "nav.topics" },
  { to: "/repositories", icon: "repositories", text: "nav.repositories", short: "nav.code" },
] as const satisfies { to: string; icon: IconName; text: string; short: string }[];
