/** Anchors and marks: where one is on the tape, and the way to any of them. */
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import type { Anchor } from "@/api/types";
import { languageOf } from "@/lib/wording";
import { anchorsQuery } from "../api/get-anchors";
import { anchorWords } from "../words/anchor-words";
import { useTape } from "./tape-context";

function Goal({ anchor, here }: { anchor: Anchor; here: boolean }) {
  const { t } = useTranslation();
  const { onGo } = useTape();
  const words = anchor.withheld ? t("tape.withheld") : anchorWords(anchor.name, anchor.state, t);
  return (
    <li>
      <button
        type="button"
        aria-current={here ? "location" : undefined}
        onClick={() => onGo(anchor.seq)}
      >
        <small>{anchor.seq}</small>
        <span lang={languageOf(words)} dir="auto">
          {words}
        </span>
      </button>
    </li>
  );
}

export function AnchorRail({ here }: { here: number | undefined }) {
  const { t } = useTranslation();
  const { tape } = useTape();
  const { data: anchors = [] } = useQuery(anchorsQuery(tape.id));
  return (
    <nav className="anchor-rail" aria-labelledby="anchors-title">
      <h2 className="section-title" id="anchors-title">
        {t("tape.anchors")}
      </h2>
      <ol>
        {anchors.map((anchor) => (
          <Goal key={anchor.seq} anchor={anchor} here={anchor.seq === here} />
        ))}
      </ol>
    </nav>
  );
}
