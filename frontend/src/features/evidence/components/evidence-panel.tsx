/** The side panel (a sheet on a phone): one citation at a time, with the way to its neighbours. */
import { type RefObject, useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { Icon } from "@/components/icon";
import { EvidenceBody } from "./evidence-body";

type Props = {
  evidence: number | null;
  /** Evidence ids in the order of their citations. */
  order: number[];
  onOpen: (evidence: number) => void;
  onClose: () => void;
};

function Bar({
  evidence,
  order,
  onOpen,
  onClose,
  closeRef,
}: Props & { closeRef: RefObject<HTMLButtonElement | null> }) {
  const { t } = useTranslation();
  const index = evidence === null ? -1 : order.indexOf(evidence);
  const go = (to: number) => {
    const next = order[to];
    if (next !== undefined) onOpen(next);
  };
  return (
    <div className="panel-bar row">
      {index >= 0 && <span className="citation on">{index + 1}</span>}
      <span className="small-text muted grow">
        {index >= 0 && t("evidence.position", { number: index + 1, total: order.length })}
      </span>
      <button
        type="button"
        className="icon-button"
        aria-label={t("evidence.previous")}
        disabled={index <= 0}
        onClick={() => go(index - 1)}
      >
        <Icon name="previous" />
      </button>
      <button
        type="button"
        className="icon-button"
        aria-label={t("evidence.next")}
        disabled={index < 0 || index >= order.length - 1}
        onClick={() => go(index + 1)}
      >
        <Icon name="next" />
      </button>
      <button
        type="button"
        className="icon-button"
        ref={closeRef}
        aria-label={t("evidence.close")}
        onClick={onClose}
      >
        <Icon name="close" />
      </button>
    </div>
  );
}

/** Over the page, the panel takes the focus; beside it, the reader stays with the text. */
function useFocusWhenOver(open: boolean, target: RefObject<HTMLElement | null>) {
  useEffect(() => {
    if (open && window.matchMedia("(max-width: 1180px)").matches) target.current?.focus();
  }, [open, target]);
}

export function EvidencePanel(props: Props) {
  const { t } = useTranslation();
  const close = useRef<HTMLButtonElement>(null);
  const open = props.evidence !== null;
  useFocusWhenOver(open, close);
  return (
    <>
      {open && <div className="scrim" onPointerDown={props.onClose} />}
      <aside className={open ? "panel open" : "panel"} aria-label={t("evidence.title")}>
        {props.evidence === null ? (
          <p className="panel-hint muted">{props.order.length > 0 && t("evidence.hint")}</p>
        ) : (
          <>
            <Bar {...props} closeRef={close} />
            <EvidenceBody id={props.evidence} />
          </>
        )}
      </aside>
    </>
  );
}
