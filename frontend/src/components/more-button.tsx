/** At the end of a list that comes in pages: brings the next one, and is gone after the last. */
import { useTranslation } from "react-i18next";

type Pages = {
  hasNextPage: boolean;
  isFetchingNextPage: boolean;
  fetchNextPage: () => unknown;
};

export function MoreButton({ pages }: { pages: Pages }) {
  const { t } = useTranslation();
  if (!pages.hasNextPage) return null;
  return (
    <button
      type="button"
      className="button more"
      disabled={pages.isFetchingNextPage}
      onClick={() => pages.fetchNextPage()}
    >
      {t("topics.more")}
    </button>
  );
}
