/** What the part of a topic cost that an overload closed; nothing where nothing was paid. */
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { spentText } from "@/lib/spent";
import { segmentsQuery } from "../api/get-segments";

export function SegmentCost({ topic, overload }: { topic: number; overload: number }) {
  const { t, i18n } = useTranslation();
  const { data } = useQuery(segmentsQuery(topic));
  const closed = data?.results.find((segment) => segment.overload_seq === overload);
  const cost = closed ? spentText(closed.cost, t, i18n.language) : "";
  return cost && <li className="muted">{t("overload.cost", { cost })}</li>;
}
