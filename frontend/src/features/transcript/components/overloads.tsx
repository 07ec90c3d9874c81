/** Where the model's memory was full: a quiet line each, with what was kept and a way to the rest. */
import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { Icon } from "@/components/icon";
import { languageOf } from "@/lib/wording";
import type { Overload, Remembered } from "../fold/overloads";
import { SegmentCost } from "./segment-cost";

function Statement({ said, tape }: { said: Remembered; tape: number }) {
  const { t } = useTranslation();
  return (
    <li>
      <span>
        {said.kind !== "said" && <span className="muted">{t(`overload.kind.${said.kind}`)} </span>}
        <span lang={languageOf(said.text)} dir="auto">
          {said.text}
        </span>
      </span>
      <span className="dotted nowrap">
        {said.seqs.slice(0, 3).map((seq) => (
          <Link
            key={seq}
            className="muted"
            to="/tapes/$tape"
            params={{ tape: String(tape) }}
            search={{ entry: seq }}
            aria-label={t("overload.entry", { seq })}
          >
            {seq}
          </Link>
        ))}
      </span>
    </li>
  );
}

function OverloadLine({ overload }: { overload: Overload }) {
  const { t } = useTranslation();
  return (
    <details className="steps overload">
      <summary>
        <Icon name="chevron" />
        <span>
          {t(overload.byModel ? "overload.summedUp" : "overload.kept", {
            count: overload.statements.length,
          })}
        </span>
      </summary>
      <ol>
        {overload.statements.map((said, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: an anchor's statements never change
          <Statement key={index} said={said} tape={overload.tape} />
        ))}
        {overload.topic && <SegmentCost topic={overload.topic} overload={overload.seq} />}
        <li>
          <Link
            to="/tapes/$tape"
            params={{ tape: String(overload.tape) }}
            search={{ entry: overload.first }}
          >
            {t("overload.open")}
          </Link>
        </li>
      </ol>
    </details>
  );
}

export function Overloads({ overloads }: { overloads: Overload[] }) {
  return overloads.map((overload) => <OverloadLine key={overload.seq} overload={overload} />);
}
