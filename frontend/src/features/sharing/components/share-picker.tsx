/** Picks the people and groups it is opened to, by typing a part of a name. */
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { ShareChange } from "@/api/types";
import { OptionList, useOptions } from "@/components/option-list";
import { isComposing } from "@/lib/keys";
import { ownGroupsQuery, peopleQuery } from "../api/names";
import type { Sharing } from "./use-sharing";

type Option = { key: string; name: string; detail: string; change: ShareChange };

function useChoices(words: string, sharing: Sharing): Option[] {
  const { t } = useTranslation();
  const { data: people = [] } = useQuery({ ...peopleQuery(words), enabled: words !== "" });
  const { data: groups = [] } = useQuery(ownGroupsQuery);
  if (!words) return [];
  const has = (kind: string, id: number) =>
    sharing.held.some((each) => each[kind as "person" | "group"]?.id === id);
  const named = groups.filter((one) => one.name.toLowerCase().includes(words.toLowerCase()));
  return [
    ...people
      .filter((one) => !has("person", one.id))
      .map((one) => ({
        key: `person-${one.id}`,
        name: one.display_name,
        detail: one.mention === one.display_name ? "" : one.mention,
        change: { kind: "person" as const, person: one.id },
      })),
    ...named
      .filter((one) => !has("group", one.id))
      .map((one) => ({
        key: `group-${one.id}`,
        name: one.name,
        detail: t("share.group"),
        change: { kind: "group" as const, group: one.id },
      })),
  ];
}

export function SharePicker({ sharing }: { sharing: Sharing }) {
  const { t } = useTranslation();
  const [words, setWords] = useState("");
  const choices = useChoices(words.trim(), sharing);
  const pick = (index: number) => {
    const chosen = choices[index];
    if (!chosen) return;
    sharing.share.mutate(chosen.change);
    setWords("");
  };
  const options = useOptions({ count: choices.length, onPick: pick, onClose: () => setWords("") });
  return (
    <div className="share-part form-field">
      <label htmlFor="share-with">{t("share.with")}</label>
      <div className="options-under">
        <input
          id="share-with"
          type="text"
          role="combobox"
          autoComplete="off"
          dir="auto"
          placeholder={t("share.placeholder")}
          value={words}
          onChange={(event) => setWords(event.target.value)}
          onKeyDown={(event) => {
            if (!isComposing(event.nativeEvent)) options.onKeyDown(event);
          }}
          {...options.field}
          aria-expanded={choices.length > 0}
        />
        <OptionList
          options={options}
          label={t("share.with")}
          items={choices.map(({ key, name, detail }) => ({ key, name, detail }))}
        />
      </div>
      {words.trim() && choices.length === 0 && (
        <p className="small muted" role="status">
          {t("share.nobody")}
        </p>
      )}
    </div>
  );
}
