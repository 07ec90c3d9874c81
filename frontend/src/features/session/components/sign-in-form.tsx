/** Name and password. */
import { type FormEvent, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { Icon } from "@/components/icon";
import { type SignInOutcome, signIn } from "../api/sign-in";

const troubles = {
  wrong: "signIn.wrong",
  too_many: "signIn.tooMany",
  failed: "signIn.failed",
} as const;

type Trouble = Exclude<SignInOutcome, "signed_in"> | "empty";

export function SignInForm({ onSignedIn }: { onSignedIn: () => Promise<void> }) {
  const { t } = useTranslation();
  const [trouble, setTrouble] = useState<Trouble | null>(null);
  const [sending, setSending] = useState(false);
  const name = useRef<HTMLInputElement>(null);
  const password = useRef<HTMLInputElement>(null);
  useEffect(() => name.current?.focus(), []);

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const fields = new FormData(event.currentTarget);
    const username = String(fields.get("username")).trim();
    const secret = String(fields.get("password"));
    if (!username || !secret) return setTrouble("empty");
    setSending(true);
    const outcome = await signIn(username, secret).catch(() => "failed" as const);
    setSending(false);
    if (outcome === "signed_in") return onSignedIn();
    setTrouble(outcome);
    password.current?.select();
  };

  return (
    <form className="sign-in-form" onSubmit={submit} noValidate>
      <label>
        {t("signIn.name")}
        <input
          ref={name}
          name="username"
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
        />
      </label>
      <label>
        {t("signIn.password")}
        <input ref={password} name="password" type="password" autoComplete="current-password" />
      </label>
      {trouble && (
        <p className="trouble" role="alert">
          <Icon name="warning" />
          {trouble === "empty" ? t("signIn.empty") : t(troubles[trouble])}
        </p>
      )}
      <button type="submit" className="button primary" disabled={sending}>
        {t("signIn.submit")}
      </button>
    </form>
  );
}
