/** A text in which `topic:12` leads to that topic. */
import { Link } from "@tanstack/react-router";
import { Fragment } from "react";

const form = /((?<![A-Za-z0-9_/.-])topic[:：]\d{1,15}(?:#\d{1,15}(?:-\d{1,15})?)?(?!\d))/gi;

export function Named({ text }: { text: string }) {
  return text.split(form).map((part, index) => {
    const topic = index % 2 === 1 ? /\d+/.exec(part)?.[0] : undefined;
    // The parts never change their order.
    const key = `${index}-${part}`;
    return topic ? (
      <Link key={key} to="/topics/$topic" params={{ topic }}>
        {part}
      </Link>
    ) : (
      <Fragment key={key}>{part}</Fragment>
    );
  });
}
