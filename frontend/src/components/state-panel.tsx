/** What happened, what is safe, and the one next step. */
import type { ReactNode } from "react";
import { Icon, type IconName } from "./icon";

type Props = { icon: IconName; title: string; text: string; children?: ReactNode };

export function StatePanel({ icon, title, text, children }: Props) {
  return (
    <section className="state-panel">
      <Icon name={icon} large />
      <h2>{title}</h2>
      <p>{text}</p>
      {children && <div className="row wrap">{children}</div>}
    </section>
  );
}
