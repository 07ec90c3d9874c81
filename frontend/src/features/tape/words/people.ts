/** Who did something, in people's words: a name where it is known. */
import type { TFunction } from "i18next";

export type Named = { id: number; display_name: string };

export function actorWords(actor: string, people: Named[], t: TFunction): string {
  const [kind, rest = ""] = actor.split(/:(.*)/s);
  if (kind === "person") {
    const known = people.find((each) => String(each.id) === rest);
    return known?.display_name ?? t("tape.actor.someone");
  }
  if (kind === "hook") return t("tape.actor.hook", { name: rest.split(".").at(-1) });
  if (kind === "agent" || kind === "import") return t(`tape.actor.${kind}`);
  return t("tape.actor.system");
}
