/** What went wrong with an act, told beside what was pressed or typed. */
import { Icon } from "./icon";

export function Trouble({ text, id }: { text: string | null; id?: string }) {
  if (!text) return null;
  return (
    <p className="trouble" role="alert" id={id}>
      <Icon name="warning" />
      {text}
    </p>
  );
}
