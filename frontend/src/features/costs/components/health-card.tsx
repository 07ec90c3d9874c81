/** Calls that failed, were tried again, or were not seen to end. */
import { useTranslation } from "react-i18next";
import type { Costs } from "@/api/types";
import { count, percent } from "@/lib/wording";

export function HealthCard({ costs }: { costs: Costs }) {
  const { t, i18n } = useTranslation();
  const { calls, failed, retries } = costs.total;
  const share = (value: number) => (calls === 0 ? "" : percent(value / calls, i18n.language));
  const rows = [
    { key: "calls", name: t("costs.calls"), value: calls, of: "" },
    { key: "failed", name: t("costs.failed"), value: failed, of: share(failed) },
    { key: "retries", name: t("costs.retries"), value: retries, of: share(retries) },
    { key: "lost", name: t("costs.lost"), value: costs.lost, of: "" },
  ];
  return (
    <section className="card cost-card" aria-labelledby="costs-health">
      <h2 id="costs-health">{t("costs.health")}</h2>
      <table className="plain-table">
        <tbody>
          {rows.map((row) => (
            <tr key={row.key}>
              <th>{row.name}</th>
              <td className="end">{count(row.value, i18n.language)}</td>
              <td className="end muted">{row.of}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p className="small muted cost-note">{t("costs.lostHint")}</p>
    </section>
  );
}
