/** What the model saw in one call: its messages rebuilt from the tape, proven, and what was not shown. */
import { useQuery } from "@tanstack/react-query";
import { type RefObject, useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import type { SeenCall } from "@/api/types";
import { Icon } from "@/components/icon";
import { Skeleton } from "@/components/skeleton";
import { Trouble } from "@/components/trouble";
import { problemText } from "@/lib/problems";
import { count } from "@/lib/wording";
import { sawQuery } from "../api/get-saw";
import { SawMessage } from "./saw-message";
import { SawNotShown } from "./saw-not-shown";

type Props = {
  turn: number | undefined;
  /** The seq of one of the call's two events. */
  call: number | undefined;
  onCall: (turn: number, seq: number) => void;
  onGo: (seq: number) => void;
  onClose: () => void;
};

/** The call whose first event is the one given, or the newest before it. */
function chosenIn(calls: SeenCall[], seq: number): number {
  const index = calls.findLastIndex((each) => each.seq <= seq);
  return Math.max(0, index);
}

function Proof({ call }: { call: SeenCall }) {
  const { t } = useTranslation();
  if (call.problem) {
    return (
      <p className="row small bad">
        <Icon name="warning" />
        {t("saw.cannot")} <code>{call.problem}</code>
      </p>
    );
  }
  return (
    <p className={call.proven ? "row small good" : "row small bad"}>
      <Icon name={call.proven ? "check" : "warning"} />
      {t(call.proven ? "saw.proven" : "saw.unproven")}
    </p>
  );
}

function Head({ call }: { call: SeenCall }) {
  const { t, i18n } = useTranslation();
  const used = call.usage ? Object.values(call.usage).reduce((sum, each) => sum + each, 0) : 0;
  const tokens = used || call.tokens;
  return (
    <>
      <p className="small muted dotted">
        <span>{t("saw.callAt", { seq: call.seq })}</span>
        <span>{t("saw.messages", { count: call.messages.length })}</span>
        <span>{t("turn.tokens", { value: count(tokens, i18n.language) })}</span>
        <span>{call.model}</span>
        <span className="nowrap">{t("saw.renderer", { number: call.renderer })}</span>
      </p>
      <Proof call={call} />
    </>
  );
}

type StepProps = { label: string; icon: "previous" | "next"; to: SeenCall | undefined };

function StepButton({ label, icon, to, onStep }: StepProps & { onStep: (seq: number) => void }) {
  return (
    <button
      type="button"
      className="icon-button"
      aria-label={label}
      disabled={!to}
      onClick={() => to && onStep(to.seq)}
    >
      <Icon name={icon} />
    </button>
  );
}

function useFocusWhenOver(open: boolean, target: RefObject<HTMLElement | null>) {
  useEffect(() => {
    if (open && window.matchMedia("(max-width: 1180px)").matches) target.current?.focus();
  }, [open, target]);
}

type OpenProps = Props & { turn: number; call: number };

function Open({ turn, call: seq, onCall, onGo, onClose }: OpenProps) {
  const { t } = useTranslation();
  const close = useRef<HTMLButtonElement>(null);
  useFocusWhenOver(true, close);
  const { data: calls = [], error, isPending } = useQuery(sawQuery(turn));
  const index = chosenIn(calls, seq);
  const call = calls[index];
  const step = (to: number) => onCall(turn, to);
  return (
    <>
      <header>
        <div className="row">
          <h2 className="grow">{t("saw.title")}</h2>
          <StepButton
            label={t("saw.previous")}
            icon="previous"
            to={calls[index - 1]}
            onStep={step}
          />
          <StepButton label={t("saw.next")} icon="next" to={calls[index + 1]} onStep={step} />
          <button
            type="button"
            className="icon-button"
            ref={close}
            aria-label={t("evidence.close")}
            onClick={onClose}
          >
            <Icon name="close" />
          </button>
        </div>
        {call && <Head call={call} />}
        <Trouble text={error ? problemText(error, t) : null} />
      </header>
      {isPending && <Skeleton text={t("saw.loading")} />}
      {!isPending && !error && !call && <p className="panel-empty muted">{t("saw.none")}</p>}
      {call && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region needs the focus to be scrolled.
        <section className="saw-scroll" tabIndex={0} aria-label={t("saw.title")}>
          <ol>
            {call.messages.map((message, place) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a message is its place.
              <SawMessage key={`${call.seq}-${place}`} message={message} onGo={onGo} />
            ))}
          </ol>
          <SawNotShown hidden={call.hidden} onGo={onGo} />
        </section>
      )}
    </>
  );
}

export function SawPanel(props: Props) {
  const { t } = useTranslation();
  const { turn, call } = props;
  const open = turn !== undefined && call !== undefined;
  return (
    <>
      {open && <div className="scrim" onPointerDown={props.onClose} />}
      <aside className={open ? "card saw open" : "card saw"} aria-label={t("saw.title")}>
        {open ? (
          <Open {...props} turn={turn} call={call} />
        ) : (
          <p className="panel-hint muted">{t("saw.hint")}</p>
        )}
      </aside>
    </>
  );
}
