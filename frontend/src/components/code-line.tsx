/** One line of code, coloured by roles when its tokens are known. */
import type { Token } from "@/lib/highlight";

type Props = { text: string; tokens: Token[] | undefined };

export function CodeLine({ text, tokens }: Props) {
  if (!tokens) return text || "\u00a0";
  if (tokens.length === 0) return "\u00a0";
  let column = 0;
  return tokens.map((token) => {
    const key = column;
    column += token.text.length;
    return token.role ? (
      <span key={key} className={`code-${token.role}`}>
        {token.text}
      </span>
    ) : (
      token.text
    );
  });
}
