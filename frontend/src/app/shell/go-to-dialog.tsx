/** Going to a topic, a repository or a page by a few letters of its name. */
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { type KeyboardEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { Dialog } from "@/components/dialog";
import { Icon, type IconName } from "@/components/icon";
import { repositoriesQuery } from "@/features/repositories/api/list-repositories";
import { topicsQuery } from "@/features/topics/api/list-topics";
import { titleOf } from "@/features/topics/words/title";
import { useSettled } from "@/lib/settled";
import { useNavLinks } from "./nav-links";

type Goal = {
  key: string;
  icon: IconName;
  text: string;
  to: string;
  search?: Record<string, number>;
};

const shownGoals = 9;

function useGoals(words: string): Goal[] {
  const { t } = useTranslation();
  const sought = useSettled(words.trim(), 150);
  const { data: topics } = useInfiniteQuery(topicsQuery(sought ? { q: sought } : {}));
  const { data: repositories } = useQuery(repositoriesQuery);
  const navLinks = useNavLinks();
  const has = (text: string) => text.toLowerCase().includes(words.trim().toLowerCase());
  const views = { to: "/views", icon: "tape", text: "views.title" } as const;
  const pages = [...navLinks, views].map((link) => ({
    key: link.to,
    icon: link.icon,
    text: t(link.text),
    to: link.to,
  }));
  const code = (repositories ?? []).map((each) => ({
    key: `repository-${each.id}`,
    icon: "repositories" as const,
    text: each.name,
    to: "/repositories",
    search: { repository: each.id },
  }));
  const found = (topics?.pages ?? []).flatMap((page) => page.results);
  const goals = found.map((each) => ({
    key: `topic-${each.id}`,
    icon: "topics" as const,
    text: titleOf(each, t),
    to: `/topics/${each.id}`,
  }));
  return [
    ...pages.filter((each) => has(each.text)),
    ...goals,
    ...code.filter((each) => has(each.text)),
  ].slice(0, shownGoals);
}

export function GoToDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const [words, setWords] = useState("");
  const [chosen, setChosen] = useState(0);
  const goals = useGoals(words);
  const go = (goal: Goal | undefined) => {
    if (!goal) return;
    onClose();
    void navigate({ to: goal.to, search: goal.search ?? {} });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) {
      event.preventDefault();
      setChosen((chosen + step + goals.length) % Math.max(1, goals.length));
    }
    if (event.key === "Enter") go(goals[chosen]);
  };
  return (
    <Dialog label={t("goTo.title")} className="go-to" onClose={onClose}>
      <label className="field">
        <Icon name="search" large />
        <input
          type="search"
          role="combobox"
          aria-expanded="true"
          aria-controls="goals"
          aria-activedescendant={goals[chosen] ? `goal-${chosen}` : undefined}
          aria-label={t("goTo.title")}
          placeholder={t("goTo.placeholder")}
          value={words}
          onKeyDown={onKeyDown}
          onChange={(event) => {
            setWords(event.target.value);
            setChosen(0);
          }}
        />
      </label>
      <div id="goals" role="listbox" aria-label={t("goTo.title")}>
        {goals.map((goal, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: keys are heard by the combobox above.
          // biome-ignore lint/a11y/useFocusableInteractive: options of a combobox are pointed at, not focused.
          <div
            key={goal.key}
            id={`goal-${index}`}
            role="option"
            aria-selected={index === chosen}
            className="goal"
            onClick={() => go(goal)}
          >
            <Icon name={goal.icon} />
            <span className="ellipsis" dir="auto">
              {goal.text}
            </span>
          </div>
        ))}
      </div>
      {goals.length === 0 && <p className="muted small-text">{t("goTo.none")}</p>}
    </Dialog>
  );
}
