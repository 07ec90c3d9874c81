/** What a topic is called: its title, or its number where the title comes from code one may not read. */
import type { TFunction } from "i18next";
import type { Topic } from "@/api/types";

export function titleOf({ id, title }: Pick<Topic, "id" | "title">, t: TFunction): string {
  return title || t("topics.titleWithheld", { number: id });
}
