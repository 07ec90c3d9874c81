/** Short names for the schema's types. */
import type { components } from "./generated/schema";

type Schemas = components["schemas"];

export type Asked = Schemas["Asked"];
export type Entry = Schemas["Entry"];
export type EvidenceLines = Schemas["Evidence"];
export type EvidenceState = Schemas["EvidenceState"];
export type LiveText = Schemas["LiveText"];
export type Me = Schemas["Me"];
export type Preview = Schemas["Preview"];
export type Question = Schemas["Question"];
export type Repository = Schemas["Repository"];
export type Topic = Schemas["Topic"];
export type TopicDetail = Schemas["TopicDetail"];
export type TopicStatus = Topic["status"];
export type Turn = Schemas["Turn"];
