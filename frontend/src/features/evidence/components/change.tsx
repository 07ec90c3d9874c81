/** The cited lines beside what stands for them now: what went, what came, with both numbers. */
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import type { EvidenceChange } from "@/api/types";
import { Failure } from "@/components/failure";
import { Skeleton } from "@/components/skeleton";
import { changeQuery } from "../api/get-change";
import { Unavailable } from "./unavailable";

type Line = EvidenceChange["lines"][number];
const signs = { same: " ", gone: "−", new: "+" } as const;

/** What went and what came is told by its element too, not by colour alone. */
function Text({ line }: { line: Line }) {
  const text = (
    <code>
      <span aria-hidden="true">{signs[line.kind]} </span>
      {line.text}
    </code>
  );
  if (line.kind === "gone") return <del>{text}</del>;
  return line.kind === "new" ? <ins>{text}</ins> : text;
}

export function Change({ id }: { id: number }) {
  const { t } = useTranslation();
  const { data, error, isPending, refetch } = useQuery(changeQuery(id));
  if (isPending) return <Skeleton text={t("evidence.loading")} />;
  if (!data) {
    return <Failure title={t("evidence.failed")} error={error} onRetry={() => refetch()} />;
  }
  if (data.unavailable) return <Unavailable reason={data.unavailable} />;
  return (
    <section
      className="code diff"
      aria-label={t("evidence.change", { commit: data.commit.slice(0, 7) })}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region needs the focus to be scrolled.
      tabIndex={0}
    >
      <p className="small muted">{t("evidence.change", { commit: data.commit.slice(0, 7) })}</p>
      <table>
        <tbody>
          {data.lines.map((line) => (
            <tr key={`${line.before}-${line.now}`} className={line.kind}>
              <td className="number">{line.before}</td>
              <td className="number">{line.now}</td>
              <td>
                <Text line={line} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
