/** One line of code, coloured by roles when its tokens are known; its names told apart where asked for. */
import { Fragment } from "react";
import type { Token } from "@/lib/highlight";

/** Names worth looking up: of three letters or more, not part of a number. */
const name = /(?<![\p{L}\p{N}_$])[\p{L}_$][\p{L}\p{N}_$]{2,}/gu;

function Names({ text }: { text: string }) {
  const found = [...text.matchAll(name)];
  if (found.length === 0) return text;
  let end = 0;
  const parts = found.map((match) => {
    const before = text.slice(end, match.index);
    end = match.index + match[0].length;
    return (
      <Fragment key={match.index}>
        {before}
        <span data-name={match[0]}>{match[0]}</span>
      </Fragment>
    );
  });
  return (
    <>
      {parts}
      {text.slice(end)}
    </>
  );
}

type Props = { text: string; tokens: Token[] | undefined; names?: boolean };

export function CodeLine({ text, tokens, names = false }: Props) {
  if (!tokens) return text || "\u00a0";
  if (tokens.length === 0) return "\u00a0";
  let column = 0;
  return tokens.map((token) => {
    const key = column;
    column += token.text.length;
    if (token.role) {
      return (
        <span key={key} className={`code-${token.role}`}>
          {token.text}
        </span>
      );
    }
    return names ? <Names key={key} text={token.text} /> : token.text;
  });
}
