/** Files that are not in the index, and why: counts with an example, and the list of each reason. */
import { useInfiniteQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Repository } from "@/api/types";
import { count } from "@/lib/wording";
import { skippedQuery } from "../api/list-skipped";
import { skipWords } from "../words/skipping";
import { LeftOutDialog } from "./left-out-dialog";

export function LeftOut({ repository }: { repository: Repository }) {
  const { t, i18n } = useTranslation();
  const { data } = useInfiniteQuery(skippedQuery(repository.id));
  const [reason, setReason] = useState<string | null>(null);
  const counts = data?.pages[0]?.counts ?? [];
  if (counts.length === 0) return null;
  return (
    <section className="block">
      <h3 className="section-title">{t("repositories.leftOutTitle")}</h3>
      <table className="plain-table left-out">
        <tbody>
          {counts.map((each) => (
            <tr key={each.reason}>
              <th scope="row">
                {repository.readable === false ? (
                  skipWords(each.reason, t)
                ) : (
                  <button
                    type="button"
                    className="text-button"
                    onClick={() => setReason(each.reason)}
                  >
                    {skipWords(each.reason, t)}
                  </button>
                )}
              </th>
              <td className="end">{count(each.count, i18n.language)}</td>
              <td className="path">
                {each.example && `${each.example}${each.count > 1 ? " …" : ""}`}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {reason && (
        <LeftOutDialog
          repository={repository.id}
          reason={reason}
          title={skipWords(reason, t)}
          onClose={() => setReason(null)}
        />
      )}
    </section>
  );
}
