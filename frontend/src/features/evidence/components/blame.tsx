/** Who last changed the cited lines, and the commits that changed them before. */
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import type { BlameSpan, Commit } from "@/api/types";
import { Skeleton } from "@/components/skeleton";
import { Trouble } from "@/components/trouble";
import { problemText } from "@/lib/problems";
import { calendarDay, languageOf } from "@/lib/wording";
import { blameQuery } from "../api/get-blame";
import { logQuery } from "../api/get-log";
import { Unavailable } from "./unavailable";

function CommitWords({ commit }: { commit: Commit }) {
  const { i18n } = useTranslation();
  return (
    <>
      <p lang={languageOf(commit.summary)} dir="auto">
        {commit.summary}
      </p>
      <p className="small muted dotted">
        <span dir="auto">{commit.author}</span>
        {commit.date && <span>{calendarDay(commit.date, i18n.language)}</span>}
        <span className="mono">{commit.commit.slice(0, 7)}</span>
      </p>
    </>
  );
}

function Span({ span }: { span: BlameSpan }) {
  const { start_line: start, end_line: end } = span;
  return (
    <li>
      <span className="mono blame-lines">{start === end ? start : `${start}–${end}`}</span>
      <div className="grow">
        <CommitWords commit={span} />
      </div>
    </li>
  );
}

function Log({ id }: { id: number }) {
  const { t } = useTranslation();
  const { data, error } = useQuery(logQuery(id));
  if (error) return <Trouble text={problemText(error, t)} />;
  if (!data || data.commits.length === 0) return null;
  return (
    <section>
      <h3 className="section-title panel-section">{t("evidence.log")}</h3>
      <ol className="blame" aria-label={t("evidence.log")}>
        {data.commits.map((commit) => (
          <li key={commit.commit}>
            <div className="grow">
              <CommitWords commit={commit} />
            </div>
          </li>
        ))}
      </ol>
    </section>
  );
}

export function Blame({ id }: { id: number }) {
  const { t } = useTranslation();
  const { data, error, isPending } = useQuery(blameQuery(id));
  if (isPending) return <Skeleton text={t("evidence.loadingBlame")} />;
  return (
    <div className="panel-scroll">
      <h3 className="section-title panel-section">{t("evidence.whoChanged")}</h3>
      <Trouble text={error ? problemText(error, t) : null} />
      {data?.unavailable && <Unavailable reason={data.unavailable} />}
      <ol className="blame" aria-label={t("evidence.whoChanged")}>
        {(data?.spans ?? []).map((span) => (
          <Span key={span.start_line} span={span} />
        ))}
      </ol>
      <Log id={id} />
    </div>
  );
}
