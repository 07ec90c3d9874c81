/** What happened, what is safe, and the one next step. */
import type { ReactNode } from "react";
import { Icon, type IconName } from "./icon";

type Props = {
  icon: IconName;
  title: string;
  text: string;
  /** `h1` where the panel is all there is of a page. */
  heading?: "h1" | "h2";
  children?: ReactNode;
};

export function StatePanel({ icon, title, text, heading: Heading = "h2", children }: Props) {
  return (
    <section className="state-panel">
      <Icon name={icon} large />
      <Heading>{title}</Heading>
      <p>{text}</p>
      {children && <div className="row wrap">{children}</div>}
    </section>
  );
}
