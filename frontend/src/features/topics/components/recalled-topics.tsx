/** The earlier topics recalled for a topic, folded; its owner can dismiss one and take that back. */
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import type { Recalled } from "@/api/types";
import { Icon } from "@/components/icon";
import { problemText } from "@/lib/problems";
import { languageOf, moment } from "@/lib/wording";
import { changeRecalled, recalledQuery } from "../api/recalled";

function useChange(topic: number) {
  const { t } = useTranslation();
  const cache = useQueryClient();
  const change = useMutation({
    mutationFn: (one: Recalled) => changeRecalled(topic, one.topic, !one.dismissed),
    onSuccess: (results) => cache.setQueryData(recalledQuery(topic).queryKey, results),
  });
  return { ...change, trouble: change.error ? problemText(change.error, t) : null };
}

function Told({ one }: { one: Recalled }) {
  const { t, i18n } = useTranslation();
  if (one.withheld) return <span className="grow">{t("recalled.withheld")}</span>;
  const title = one.title ?? "";
  return (
    <span className="grow">
      <Link to="/topics/$topic" params={{ topic: String(one.topic) }}>
        <span lang={languageOf(title)} dir="auto">
          {title}
        </span>
      </Link>{" "}
      {one.summary && (
        <span className="said" lang={languageOf(one.summary)} dir="auto">
          {one.summary}
        </span>
      )}{" "}
      <span className="when">
        {one.finalized_at &&
          t("recalled.by", { name: one.owner, when: moment(one.finalized_at, i18n.language) })}
      </span>
    </span>
  );
}

type RowProps = { one: Recalled; mine: boolean; busy: boolean; onChange: (one: Recalled) => void };

function RecalledRow({ one, mine, busy, onChange }: RowProps) {
  const { t } = useTranslation();
  const title = one.title ?? t("recalled.withheld");
  return (
    <li className={one.dismissed ? "dismissed" : undefined}>
      <Told one={one} />
      {one.dismissed && <span className="tag">{t("recalled.dismissed")}</span>}
      {mine && (
        <button
          type="button"
          className={one.dismissed ? "quiet" : "icon"}
          disabled={busy}
          aria-label={t(one.dismissed ? "recalled.restoreOne" : "recalled.dismissOne", { title })}
          title={t(one.dismissed ? "recalled.restoreOne" : "recalled.dismissOne", { title })}
          onClick={() => onChange(one)}
        >
          {one.dismissed ? t("recalled.restore") : <Icon name="close" />}
        </button>
      )}
    </li>
  );
}

export function RecalledTopics({ topic, mine }: { topic: number; mine: boolean }) {
  const { t } = useTranslation();
  const { data: found = [] } = useQuery(recalledQuery(topic));
  const { mutate, isPending, trouble } = useChange(topic);
  if (found.length === 0) return null;
  return (
    <details className="recalled small-text">
      <summary>
        <Icon name="clock" />
        {t("recalled.count", { count: found.length })}
      </summary>
      <ul>
        {found.map((one) => (
          <RecalledRow key={one.topic} one={one} mine={mine} busy={isPending} onChange={mutate} />
        ))}
      </ul>
      {trouble && (
        <p className="small bad" role="alert">
          {trouble}
        </p>
      )}
    </details>
  );
}
