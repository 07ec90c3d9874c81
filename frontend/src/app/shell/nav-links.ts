/** The pages that navigation leads to; some only for those who look after what they show. */
import { useQuery } from "@tanstack/react-query";
import { useLocation } from "@tanstack/react-router";
import type { IconName } from "@/components/icon";
import { meQuery } from "@/features/session/api/get-me";

const forAll = [
  { to: "/", icon: "ask", text: "nav.ask", short: "nav.ask" },
  { to: "/topics", icon: "topics", text: "nav.topics", short: "nav.topics" },
  { to: "/tapes", icon: "tape", text: "nav.tape", short: "nav.tape" },
  { to: "/facts", icon: "fact", text: "nav.facts", short: "nav.facts" },
  { to: "/repositories", icon: "repositories", text: "nav.repositories", short: "nav.code" },
] as const satisfies { to: string; icon: IconName; text: string; short: string }[];

const forReviewers = [
  { to: "/vocabulary", icon: "vocabulary", text: "nav.vocabulary", short: "nav.words" },
  { to: "/evaluation", icon: "evaluation", text: "nav.evaluation", short: "nav.evaluation" },
] as const satisfies { to: string; icon: IconName; text: string; short: string }[];

const forAdministrators = [
  { to: "/costs", icon: "cost", text: "nav.costs", short: "nav.costs" },
  { to: "/administration/hooks", icon: "hook", text: "nav.topicUpkeep", short: "nav.upkeep" },
] as const satisfies { to: string; icon: IconName; text: string; short: string }[];

export type NavLink =
  | (typeof forAll)[number]
  | (typeof forReviewers)[number]
  | (typeof forAdministrators)[number];

/** Whether one may correct the vocabulary and keep evaluations. */
export function useReviews(): boolean {
  const { data: me } = useQuery(meQuery);
  return me?.roles.some((role) => role === "reviewer" || role === "administrator") ?? false;
}

function useAdministers(): boolean {
  const { data: me } = useQuery(meQuery);
  return me?.roles.includes("administrator") ?? false;
}

/** What stands under another page's name: the navigation says so there, too. */
export function useIsUnder(): (to: NavLink["to"]) => boolean {
  const { pathname } = useLocation();
  return (to) => to === "/tapes" && pathname.startsWith("/views");
}

export function useNavLinks(): NavLink[] {
  const reviews = useReviews();
  const administers = useAdministers();
  return [...forAll, ...(reviews ? forReviewers : []), ...(administers ? forAdministrators : [])];
}
