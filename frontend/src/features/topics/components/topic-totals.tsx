/** How many topics the list has, and what they cost together: a figure a currency, never added up. */
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { spentText } from "@/lib/spent";
import { count } from "@/lib/wording";
import { type TopicFilter, topicTotalsQuery } from "../api/list-topics";

export function TopicTotals({ filter }: { filter: TopicFilter }) {
  const { t, i18n } = useTranslation();
  const { data } = useQuery({ ...topicTotalsQuery(filter), placeholderData: keepPreviousData });
  if (!data) return null;
  const number = count(data.count, i18n.language);
  const spent = spentText(data, t, i18n.language);
  return (
    <span className="small muted nowrap" role="status">
      {data.more ? t("topics.moreThan", { number }) : t("topics.total", { number })}
      {spent && ` · ${t("topics.inAll", { amount: spent })}`}
    </span>
  );
}
