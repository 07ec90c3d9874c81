/** Asking something new: the composer, questions worth asking, and what was asked before. */
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Asked, Me, Topic } from "@/api/types";
import { Icon } from "@/components/icon";
import { Composer } from "@/features/questions/components/composer";
import { readableQuery } from "@/features/repositories/api/list-repositories";
import { meQuery } from "@/features/session/api/get-me";
import { topicsQuery } from "@/features/topics/api/list-topics";
import { TopicFigures } from "@/features/topics/components/topic-figures";
import { titleOf } from "@/features/topics/words/title";
import { usePageTitle } from "@/lib/page-title";
import { remember } from "@/lib/remembered";
import { languageOf } from "@/lib/wording";
import { useLive } from "../live/live-context";
import { useAfterAnchor } from "./after-anchor";
import { ReadableCode } from "./readable-code";

const shown = 4;

function Samples({ me, onChoose }: { me: Me; onChoose: (text: string) => void }) {
  const { t, i18n } = useTranslation();
  const inLanguage = me.samples.filter((sample) => sample.language === i18n.language);
  const samples = (inLanguage.length > 0 ? inLanguage : me.samples).slice(0, shown);
  if (samples.length === 0) return null;
  return (
    <section>
      <h2 className="section-title">{t("ask.samples")}</h2>
      <ul className="lines">
        {samples.map((sample) => (
          <li key={sample.text}>
            <button type="button" className="line" onClick={() => onChoose(sample.text)}>
              <Icon name="arrow" />
              <span lang={languageOf(sample.text)} dir="auto">
                {sample.text}
                <small>{sample.about}</small>
              </span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Recent({ topics }: { topics: Topic[] }) {
  const { t } = useTranslation();
  if (topics.length === 0) return null;
  return (
    <section>
      <div className="row">
        <h2 className="section-title grow">{t("ask.recent")}</h2>
        <Link className="small-text" to="/topics">
          {t("ask.all")}
        </Link>
      </div>
      <ul className="lines">
        {topics.slice(0, shown).map((topic) => (
          <li key={topic.id}>
            <Link className="line" to="/topics/$topic" params={{ topic: String(topic.id) }}>
              <Icon name="topics" />
              <span>
                <span lang={languageOf(titleOf(topic, t))} dir="auto">
                  {titleOf(topic, t)}
                </span>
                <TopicFigures topic={topic} />
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}

export function AskPage() {
  const { t } = useTranslation();
  const { tape, after: anchor } = useSearch({ from: "/shell/" });
  const after = useAfterAnchor(tape, anchor);
  const navigate = useNavigate();
  const { connection } = useLive();
  const { data: me } = useQuery(meQuery);
  const { data: repositories = [] } = useQuery(readableQuery);
  const { data: topics } = useInfiniteQuery(topicsQuery({}));
  const [chosen, setChosen] = useState(0);
  usePageTitle(t("nav.ask"));

  const choose = (text: string) => {
    remember("draft:new", text);
    // A new composer reads the draft afresh and takes the focus.
    setChosen(chosen + 1);
  };
  const onAsked = ({ topic }: Asked) =>
    navigate({ to: "/topics/$topic", params: { topic: String(topic.id) } });

  return (
    <main className="ask">
      <h1>{t("ask.title")}</h1>
      <p className="lead">{t("ask.lead")}</p>
      <Composer
        key={chosen}
        place={tape ? { tape, ...after } : {}}
        repositories={repositories}
        offline={connection === "offline"}
        onAsked={onAsked}
        onLeaveAnchor={() => void navigate({ to: "/", search: tape ? { tape } : {} })}
      />
      <div className="two">
        {me && <Samples me={me} onChoose={choose} />}
        <Recent topics={topics?.pages[0]?.results ?? []} />
      </div>
      {me && <ReadableCode repositories={repositories} />}
    </main>
  );
}
