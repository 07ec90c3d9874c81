/** Short names for the schema's types. */
import type { components } from "./generated/schema";

type Schemas = components["schemas"];

export type Asked = Schemas["Asked"];
export type BlameSpan = Schemas["Span"];
export type CodePlace = Schemas["Place"];
export type Commit = Schemas["Commit"];
export type Entry = Schemas["Entry"];
export type EvaluationBody = Schemas["EvaluationBody"];
export type EvaluationDetail = Schemas["EvaluationDetail"];
export type EvaluationQuestion = Schemas["EvaluationQuestion"];
export type EvaluationRun = Schemas["EvaluationRun"];
export type EvaluationSet = Schemas["Evaluation"];
export type EvidenceLines = Schemas["Evidence"];
export type EvidenceState = Schemas["EvidenceState"];
export type Group = Schemas["Group"];
export type LiveText = Schemas["LiveText"];
export type Me = Schemas["Me"];
export type Measures = Schemas["Figures"];
export type NewCorrection = Schemas["Correction"];
export type NewRepository = Schemas["NewRepository"];
export type OutlineSymbol = Schemas["OutlinedSymbol"];
export type Preview = Schemas["Preview"];
export type Question = Schemas["Question"];
export type Repository = Schemas["Repository"];
export type RepositoryChange = Schemas["RepositoryChange"];
export type Term = Schemas["Word"];
export type TermExample = Schemas["WordExample"];
export type Topic = Schemas["Topic"];
export type TopicDetail = Schemas["TopicDetail"];
export type TopicStatus = Topic["status"];
export type Turn = Schemas["Turn"];
export type Unavailable = NonNullable<Schemas["CodeLines"]["unavailable"]>;
export type Webhook = Schemas["Webhook"];
export type WordCounts = Schemas["WordCounts"];
export type WordSource = Schemas["WordSource"];
