/** A message as the model got it: whose, how long, from which entry; long ones open by a press. */
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { SeenMessage } from "@/api/types";
import { Icon } from "@/components/icon";
import { count, languageOf } from "@/lib/wording";

const longest = 400;

type Props = { message: SeenMessage; onGo: (seq: number) => void };

function Words({ text }: { text: string }) {
  const { t } = useTranslation();
  const [whole, setWhole] = useState(false);
  const shown = whole || text.length <= longest ? text : `${text.slice(0, longest)}…`;
  return (
    <>
      <p className="passage" lang={languageOf(text)} dir="auto">
        {shown}
      </p>
      {text.length > longest && (
        <button
          type="button"
          className="text-button"
          aria-expanded={whole}
          onClick={() => setWhole(!whole)}
        >
          {t(whole ? "saw.less" : "saw.whole")}
        </button>
      )}
    </>
  );
}

function Capped({ capped }: { capped: NonNullable<SeenMessage["capped"]> }) {
  const { t, i18n } = useTranslation();
  return (
    <p className="small muted">
      {t("saw.capped", {
        shown: count(capped.shown, i18n.language),
        total: count(capped.chars, i18n.language),
      })}
    </p>
  );
}

export function SawMessage({ message, onGo }: Props) {
  const { t, i18n } = useTranslation();
  const { seq } = message;
  return (
    <li>
      <p className="row small">
        <b className="mono">{message.role}</b>
        <span className="muted grow" title={t("saw.estimated")}>
          {count(message.tokens, i18n.language)}
        </span>
        {seq === null ? (
          <span className="muted">{t("saw.storedOnce")}</span>
        ) : (
          <button type="button" className="text-button" onClick={() => onGo(seq)}>
            {t("saw.entry", { seq })}
          </button>
        )}
      </p>
      {message.withheld && (
        <p className="row muted">
          <Icon name="lock" />
          {t("tape.withheldHint")}
        </p>
      )}
      {message.content && <Words text={message.content} />}
      {message.calls.map((call) => (
        <p key={call.id} className="mono passage">{`${call.name}(${call.arguments})`}</p>
      ))}
      {message.capped && <Capped capped={message.capped} />}
    </li>
  );
}
