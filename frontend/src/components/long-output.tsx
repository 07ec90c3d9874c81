/** A tool's output that was too long for its entry: how many pages there are, and each of them to read. */
import { keepPreviousData, queryOptions, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { api, body } from "@/api/client";
import { count } from "@/lib/wording";
import { Icon } from "./icon";
import { Sheet } from "./sheet";
import { Skeleton } from "./skeleton";
import { Trouble } from "./trouble";

export type KeptOutput = { tape: number; seq: number; call: string; pages: number; chars: number };

function outputQuery({ tape, seq, call }: KeptOutput, page: number) {
  return queryOptions({
    queryKey: ["output", tape, seq, call, page],
    // What was kept is never rewritten.
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => {
      const params = { path: { tape_id: tape, seq }, query: { call, page } };
      return body(api.GET("/api/tapes/{tape_id}/entries/{seq}/output", { params, signal }));
    },
  });
}

export function LongOutput({ output }: { output: KeptOutput }) {
  const { t } = useTranslation();
  const [open, setOpen] = useState(false);
  return (
    <>
      <button type="button" className="text-button" onClick={() => setOpen(true)}>
        {t("output.pages", { pages: output.pages })}
      </button>
      {open && <Pages output={output} onClose={() => setOpen(false)} />}
    </>
  );
}

function Pages({ output, onClose }: { output: KeptOutput; onClose: () => void }) {
  const { t, i18n } = useTranslation();
  const [page, setPage] = useState(1);
  const { data, isError } = useQuery(outputQuery(output, page));
  return (
    <Sheet title={t("output.title")} className="wide" onClose={onClose}>
      <div className="row">
        <p className="small muted dotted grow">
          <span>{t("output.page", { page, pages: output.pages })}</span>
          <span>{t("output.chars", { value: count(output.chars, i18n.language) })}</span>
        </p>
        <Turn label={t("output.previous")} icon="previous" to={page - 1} of={output} go={setPage} />
        <Turn label={t("output.next")} icon="next" to={page + 1} of={output} go={setPage} />
      </div>
      {isError && <Trouble text={t("output.failed")} />}
      {data ? (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region needs the focus to be scrolled.
        <pre className="passage" tabIndex={0}>
          {data.text}
        </pre>
      ) : (
        !isError && <Skeleton text={t("output.reading")} />
      )}
    </Sheet>
  );
}

type TurnProps = {
  label: string;
  icon: "previous" | "next";
  to: number;
  of: KeptOutput;
  go: (page: number) => void;
};

function Turn({ label, icon, to, of, go }: TurnProps) {
  return (
    <button
      type="button"
      className="icon-button"
      aria-label={label}
      disabled={to < 1 || to > of.pages}
      onClick={() => go(to)}
    >
      <Icon name={icon} />
    </button>
  );
}
