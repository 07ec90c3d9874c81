/** One hook at its stage: order, what it does, its figures, and its switch. */
import { useTranslation } from "react-i18next";
import type { Hook } from "@/api/types";
import { moment } from "@/lib/wording";
import { figuresOf, isTroubled } from "../words/outcomes";

type Props = { hook: Hook; busy: boolean; onSwitch: (on: boolean) => void };

function Does({ hook }: { hook: Hook }) {
  const { t, i18n } = useTranslation();
  const chinese = i18n.language.startsWith("zh") && hook.does_zh !== "";
  if (hook.problem) return <p className="bad">{t("hooks.problem", { text: hook.problem })}</p>;
  return <p lang={chinese ? "zh-CN" : "en"}>{chinese ? hook.does_zh : hook.does_en}</p>;
}

function Switch({ hook, busy, onSwitch }: Props) {
  const { t } = useTranslation();
  if (hook.essential) return <span className="tag">{t("hooks.essential")}</span>;
  return (
    <button
      type="button"
      role="switch"
      className="switch"
      aria-checked={hook.on}
      aria-label={t("hooks.switch", { hook: hook.hook })}
      disabled={busy}
      onClick={() => onSwitch(!hook.on)}
    >
      <i aria-hidden="true" />
      {hook.on ? t("hooks.on") : t("hooks.off")}
    </button>
  );
}

export function HookRow(props: Props) {
  const { t, i18n } = useTranslation();
  const { hook } = props;
  return (
    <li className={hook.on ? "hook-row" : "hook-row off"} data-row tabIndex={-1}>
      <span className="hook-order">{hook.order}</span>
      <div>
        <Does hook={hook} />
        <code>{hook.hook}</code>
        <p className="small muted">
          {isTroubled(hook) && <span className="tag warn">{t("hooks.troubled")}</span>}{" "}
          {figuresOf(hook, t, i18n.language)}
          {hook.changed_at &&
            ` · ${t(hook.on ? "hooks.switchedOn" : "hooks.switchedOff", {
              who: hook.changed_by || t("hooks.command"),
              when: moment(hook.changed_at, i18n.language),
            })}`}
        </p>
      </div>
      <Switch {...props} />
    </li>
  );
}
