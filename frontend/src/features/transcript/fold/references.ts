/** What a question named, as it was looked up and noted beside it. */
import type { Entry } from "@/api/types";
import { type Json, number, object, objects, text } from "@/lib/read";

type NamedThing = { topic: number; title: string };

export type Reference = {
  written: string;
  kind: "topic" | "person";
  /** Whether anything of it was open to the asker. */
  shown: boolean;
  /** A name that several people have. */
  several: boolean;
  topic: number | null;
  title: string;
  /** Passages that were withheld. */
  withheld: number;
  topics: NamedThing[];
  facts: { fact: number; text: string }[];
  /** Numbers of views; their names are told where they are opened. */
  views: number[];
};

function referenceFrom(said: Json): Reference {
  return {
    written: text(said.written),
    kind: text(said.kind) === "person" ? "person" : "topic",
    shown: said.shown === true,
    several: said.several === true,
    topic: number(said.topic),
    title: text(said.title),
    withheld: number(said.withheld) ?? 0,
    topics: objects(said.topics).map((one) => ({
      topic: number(one.topic) ?? 0,
      title: text(one.title),
    })),
    facts: objects(said.facts).map((one) => ({
      fact: number(one.fact) ?? 0,
      text: text(one.text),
    })),
    views: objects(said.views).map((one) => number(one.view) ?? 0),
  };
}

/** Those of an anchor that notes them; none of any other. */
export function referencesIn(entry: Entry): Reference[] {
  return objects(object(object(entry.payload).state).references).map(referenceFrom);
}
