/** Copies a text and says so for a moment. */
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { Icon } from "./icon";

const shownFor = 2_000;

export function CopyButton({ text, label }: { text: string; label: string }) {
  const { t } = useTranslation();
  const [done, setDone] = useState(false);
  useEffect(() => {
    if (!done) return;
    const timer = setTimeout(() => setDone(false), shownFor);
    return () => clearTimeout(timer);
  }, [done]);
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    setDone(true);
  };
  return (
    <button type="button" className="quiet" onClick={copy}>
      <Icon name="copy" />
      {done ? t("evidence.copied") : label}
      <span className="hidden" role="status">
        {done && t("evidence.copied")}
      </span>
    </button>
  );
}
