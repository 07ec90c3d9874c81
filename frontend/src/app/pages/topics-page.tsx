/** Everything asked: instant search, filters, what is pinned, and the list by pages. */
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { Icon } from "@/components/icon";
import { SearchField } from "@/components/search-field";
import { FactLines } from "@/features/facts/components/fact-lines";
import { readableQuery } from "@/features/repositories/api/list-repositories";
import { HitsOnTapes } from "@/features/tape/components/hits-on-tapes";
import { MoreFilters, WhoseFilter } from "@/features/topics/components/topic-filters";
import { TopicTotals } from "@/features/topics/components/topic-totals";
import { usePageTitle } from "@/lib/page-title";
import { useRowKeys } from "./row-keys";
import { useTopicFilter } from "./topic-filter";
import { TopicList } from "./topic-list";
import { TopicsRail } from "./topics-rail";

export function TopicsPage() {
  const { t } = useTranslation();
  const { q, filter, wanted, text, setText, change, clear } = useTopicFilter();
  const { data: repositories = [] } = useQuery(readableQuery);
  useRowKeys();
  usePageTitle(t("topics.title"));
  return (
    <main className="page">
      <header className="page-head">
        <div className="grow">
          <h1>{t("topics.title")}</h1>
          <p>{t("topics.lead")}</p>
        </div>
        <Link className="button primary only-narrow" to="/">
          <Icon name="plus" />
          {t("nav.newTopic")}
        </Link>
      </header>
      <div className="with-rail">
        <div>
          <SearchField
            label={t("topics.search")}
            placeholder={t("topics.placeholder")}
            text={text}
            onChange={setText}
          />
          <div className="filter-line">
            <div className="filter-groups">
              <WhoseFilter whose={filter.whose} onChange={(whose) => change({ whose })} />
              <MoreFilters filter={filter} repositories={repositories} onChange={change} />
            </div>
            <TopicTotals filter={wanted} />
          </div>
          <TopicList q={q} wanted={wanted} onClear={clear} />
          {q && <FactLines filter={{ q, state: "accepted" }} title={t("facts.found")} />}
          <HitsOnTapes q={q} />
        </div>
        <TopicsRail />
      </div>
    </main>
  );
}
