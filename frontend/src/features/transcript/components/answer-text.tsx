/**
 * An answer's text: Markdown without raw HTML or pictures, whose links lead to evidence and topics
 * only; everything else that looks like a link is shown as the text it is.
 */

import { Link } from "@tanstack/react-router";
import type { ComponentProps } from "react";
import Markdown, { type Components } from "react-markdown";
import rehypeSanitize, { defaultSchema } from "rehype-sanitize";
import remarkCjkFriendly from "remark-cjk-friendly";
import remarkGfm from "remark-gfm";
import { packMarkers, rehypeCitations } from "../words/markers";
import { linkTopics } from "../words/topic-links";
import { AnswerCode } from "./answer-code";
import { CitationButton } from "./citation-button";

const allowed = {
  ...defaultSchema,
  tagNames: (defaultSchema.tagNames ?? []).filter(
    (name) => !["img", "input", "source"].includes(name),
  ),
  protocols: {},
};

function ownPage(href: string | undefined): string | null {
  return href && /^\/(topics|evidence)\/\d+$/.test(href) ? href : null;
}

const components: Components = {
  a: ({ href, children }) => {
    const page = ownPage(href);
    return page ? <Link to={page}>{children}</Link> : <span>{children}</span>;
  },
  cite: ({ children }) => <CitationButton marker={String(children)} />,
  h1: Heading,
  h2: Heading,
  h3: Heading,
  h4: Heading,
  h5: Heading,
  h6: Heading,
  pre: AnswerCode,
  table: (props) => (
    // A wide table scrolls in its own box, which the keyboard must reach.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region needs the focus to be scrolled.
    <div className="answer-table" tabIndex={0}>
      <table {...withoutNode(props)} />
    </div>
  ),
};

function withoutNode<T extends { node?: unknown }>({ node: _node, ...props }: T) {
  return props;
}

function Heading({ children }: ComponentProps<"h3">) {
  return <h3>{children}</h3>;
}

export function AnswerText({ text, language }: { text: string; language: string }) {
  return (
    <div className="answer-text" lang={language} dir="auto">
      <Markdown
        remarkPlugins={[remarkGfm, remarkCjkFriendly]}
        rehypePlugins={[[rehypeSanitize, allowed], rehypeCitations]}
        components={components}
      >
        {packMarkers(linkTopics(text))}
      </Markdown>
    </div>
  );
}
