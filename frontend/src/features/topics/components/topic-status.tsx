/** A topic's status as a word; open ones stand out. */
import { useTranslation } from "react-i18next";
import type { TopicStatus as Status } from "@/api/types";

export function TopicStatus({ status }: { status: Status }) {
  const { t } = useTranslation();
  return <span className={status === "open" ? "tag info" : "tag"}>{t(`status.${status}`)}</span>;
}
