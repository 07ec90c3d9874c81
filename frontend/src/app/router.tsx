/** The pages and their addresses; filters and the open evidence live in the address too. */
import type { QueryClient } from "@tanstack/react-query";
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
} from "@tanstack/react-router";
import type { FactState, WordSource } from "@/api/types";
import { dayIn, periods } from "@/features/costs/words/filter";
import { states as factStates } from "@/features/facts/words/states";
import { sessionQuery } from "@/features/session/api/get-session";
import { kindGroups } from "@/features/tape/words/kinds";
import {
  costChoices,
  dayChoices,
  statusChoices,
  unpriced,
  whoseChoices,
} from "@/features/topics/words/choices";
import { NotFoundPage } from "./pages/not-found-page";
import { PageFailure } from "./pages/page-failure";
import { Shell } from "./shell/shell";

type Context = { cache: QueryClient };

function id(value: unknown): number | undefined {
  const number = Number(value);
  return Number.isSafeInteger(number) && number > 0 ? number : undefined;
}

function words(value: unknown): string | undefined {
  return typeof value === "string" || typeof value === "number" ? String(value) : undefined;
}

/** Without what is not set, so that addresses stay short. */
function defined<T extends object>(values: T): Partial<T> {
  const set = Object.entries(values).filter(([, value]) => value !== undefined && value !== "");
  return Object.fromEntries(set) as Partial<T>;
}

const sources: WordSource[] = ["catalogue", "enum", "label", "comment", "fact", "people"];

const root = createRootRouteWithContext<Context>()({
  notFoundComponent: NotFoundPage,
  errorComponent: PageFailure,
});

const signIn = createRoute({
  getParentRoute: () => root,
  path: "/sign-in",
  validateSearch: (search) => defined({ next: words(search.next) }),
  // Asking who is signed in also sets the CSRF cookie that signing in needs.
  beforeLoad: ({ context }) => context.cache.ensureQueryData(sessionQuery),
  component: lazyRouteComponent(() => import("./pages/sign-in-page"), "SignInPage"),
});

const shell = createRoute({
  getParentRoute: () => root,
  id: "shell",
  component: Shell,
  beforeLoad: async ({ context, location }) => {
    const session = await context.cache.ensureQueryData(sessionQuery);
    if (!session.authenticated) throw redirect({ to: "/sign-in", search: { next: location.href } });
  },
});

const ask = createRoute({
  getParentRoute: () => shell,
  path: "/",
  validateSearch: (search) => defined({ tape: id(search.tape), after: id(search.after) }),
  component: lazyRouteComponent(() => import("./pages/ask-page"), "AskPage"),
});

const topics = createRoute({
  getParentRoute: () => shell,
  path: "/topics",
  validateSearch: (search) =>
    defined({
      q: words(search.q),
      whose: whoseChoices.find((whose) => whose === search.whose),
      status: statusChoices.find((status) => status === search.status),
      repository: id(search.repository),
      days: dayChoices.find((days) => days === id(search.days)),
      cost: [...costChoices, unpriced].find((cost) => cost === words(search.cost)),
    }),
  component: lazyRouteComponent(() => import("./pages/topics-page"), "TopicsPage"),
});

const hooks = createRoute({
  getParentRoute: () => shell,
  path: "/administration/hooks",
  component: lazyRouteComponent(() => import("./pages/hooks-page"), "HooksPage"),
});

const openTopics = createRoute({
  getParentRoute: () => shell,
  path: "/administration/open-topics",
  component: lazyRouteComponent(() => import("./pages/open-topics-page"), "OpenTopicsPage"),
});

const topic = createRoute({
  getParentRoute: () => shell,
  path: "/topics/$topic",
  validateSearch: (search) =>
    defined({
      evidence: id(search.evidence),
      continued: search.continued ? 1 : undefined,
      after: id(search.after),
    }),
  component: lazyRouteComponent(() => import("./pages/topic-page"), "TopicPage"),
});

const facts = createRoute({
  getParentRoute: () => shell,
  path: "/facts",
  validateSearch: (search) =>
    defined({
      q: words(search.q),
      state: factStates.find((state): state is FactState => state === search.state),
      repository: id(search.repository),
      person: id(search.person),
      language: (["zh", "en"] as const).find((each) => each === search.language),
    }),
  component: lazyRouteComponent(() => import("./pages/facts-page"), "FactsPage"),
});

const fact = createRoute({
  getParentRoute: () => shell,
  path: "/facts/$fact",
  component: lazyRouteComponent(() => import("./pages/fact-page"), "FactPage"),
});

const person = createRoute({
  getParentRoute: () => shell,
  path: "/people/$person",
  component: lazyRouteComponent(() => import("./pages/person-page"), "PersonPage"),
});

const link = createRoute({
  getParentRoute: () => shell,
  path: "/s/$token",
  component: lazyRouteComponent(() => import("./pages/link-page"), "LinkPage"),
});

const evidence = createRoute({
  getParentRoute: () => shell,
  path: "/evidence/$evidence",
  component: lazyRouteComponent(() => import("./pages/evidence-page"), "EvidencePage"),
});

const repositories = createRoute({
  getParentRoute: () => shell,
  path: "/repositories",
  validateSearch: (search) => defined({ repository: id(search.repository) }),
  component: lazyRouteComponent(() => import("./pages/repositories-page"), "RepositoriesPage"),
});

const vocabulary = createRoute({
  getParentRoute: () => shell,
  path: "/vocabulary",
  validateSearch: (search) =>
    defined({
      q: words(search.q),
      source: sources.find((source) => source === search.source),
      repository: id(search.repository),
      adding: search.adding ? 1 : undefined,
    }),
  component: lazyRouteComponent(() => import("./pages/vocabulary-page"), "VocabularyPage"),
});

const evaluation = createRoute({
  getParentRoute: () => shell,
  path: "/evaluation",
  validateSearch: (search) => defined({ set: id(search.set) }),
  component: lazyRouteComponent(() => import("./pages/evaluation-page"), "EvaluationPage"),
});

const costs = createRoute({
  getParentRoute: () => shell,
  path: "/costs",
  validateSearch: (search) =>
    defined({
      days: periods.find((days) => days === id(search.days)),
      first: dayIn(search.first),
      last: dayIn(search.last),
      // 0 is the company.
      person: search.person === 0 ? 0 : id(search.person),
      group: id(search.group),
      repository: id(search.repository),
      model: words(search.model),
      purpose: words(search.purpose),
      currency: words(search.currency),
      tokens: search.tokens ? (1 as const) : undefined,
    }),
  component: lazyRouteComponent(() => import("./pages/costs-page"), "CostsPage"),
});

const budgets = createRoute({
  getParentRoute: () => shell,
  path: "/costs/budgets",
  component: lazyRouteComponent(() => import("./pages/budgets-page"), "BudgetsPage"),
});

const prices = createRoute({
  getParentRoute: () => shell,
  path: "/costs/prices",
  component: lazyRouteComponent(() => import("./pages/prices-page"), "PricesPage"),
});

const tapes = createRoute({
  getParentRoute: () => shell,
  path: "/tapes",
  validateSearch: (search) => defined({ tape: id(search.tape) }),
  component: lazyRouteComponent(() => import("./pages/tapes-page"), "TapesPage"),
});

const tape = createRoute({
  getParentRoute: () => shell,
  path: "/tapes/$tape",
  validateSearch: (search) =>
    defined({
      q: words(search.q),
      kind: kindGroups.find((group) => group === search.kind),
      forks: search.forks ? 1 : undefined,
      entry: id(search.entry),
      turn: id(search.turn),
      call: id(search.call),
      view: id(search.view),
    }),
  component: lazyRouteComponent(() => import("./pages/tape-page"), "TapePage"),
});

const views = createRoute({
  getParentRoute: () => shell,
  path: "/views",
  component: lazyRouteComponent(() => import("./pages/views-page"), "ViewsPage"),
});

const view = createRoute({
  getParentRoute: () => shell,
  path: "/views/$view",
  component: lazyRouteComponent(() => import("./pages/view-page"), "ViewPage"),
});

const tree = root.addChildren([
  signIn,
  shell.addChildren([
    ask,
    topics,
    hooks,
    openTopics,
    topic,
    link,
    tapes,
    tape,
    views,
    view,
    evidence,
    facts,
    fact,
    person,
    repositories,
    vocabulary,
    evaluation,
    costs,
    budgets,
    prices,
  ]),
]);

export function createPages(cache: QueryClient) {
  return createRouter({
    routeTree: tree,
    context: { cache },
    defaultPreload: "intent",
    scrollRestoration: true,
  });
}

declare module "@tanstack/react-router" {
  interface Register {
    router: ReturnType<typeof createPages>;
  }
}
