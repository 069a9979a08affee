import { visibleText } from "@acp/core/state";
import { MarkdownBlocks, type MarkdownPart, plainText } from "@acp/render/markdown";
import type { MarkedToken, Token, Tokens } from "marked";
import { createElement, memo, type ReactElement, type ReactNode, useEffect, useRef, useState } from "react";

/** Lists, quotes and emphasis within more others than this are shown as they are written. */
const maxDepth = 12;
/** Where a link may lead. */
const schemes: ReadonlySet<string> = new Set(["http:", "https:", "mailto:"]);

interface Reading {
  readonly blocks: MarkdownBlocks;
  readonly parts: MarkdownPart[];
  text: string;
}

const newReading = (): Reading => ({ blocks: new MarkdownBlocks(), parts: [], text: "" });

/**
 * A message in Markdown that may grow: only what follows its last finished block is read again, and drawn again. Everything
 * becomes an element or a text, never HTML.
 */
export function Markdown({ text }: { readonly text: string }): ReactElement {
  const reading = useRef(newReading());
  const [, goOn] = useState(0);
  // The session may have been loaded again.
  if (!text.startsWith(reading.current.text)) reading.current = newReading();
  const { blocks, parts } = reading.current;
  reading.current.text = text;
  const { done, live, isRead } = blocks.read(text, true);
  for (const part of done) parts.push(part);
  // A long text is read over several frames.
  useEffect(() => {
    if (isRead) return undefined;
    const frame = requestAnimationFrame(() => goOn((count) => count + 1));
    return () => cancelAnimationFrame(frame);
  });
  return (
    <div className="markdown">
      {parts.map((part, index) => (
        <Part key={index} part={part} />
      ))}
      <Part key={parts.length} part={live} />
    </div>
  );
}

const Part = memo(({ part }: { readonly part: MarkdownPart }): ReactElement => {
  const { tokens, goesOn, nextNumber } = part;
  return <div className={goesOn ? "on" : undefined}>{blocksOf(tokens, 0, nextNumber)}</div>;
});

function blocksOf(tokens: readonly Token[], depth: number, start?: number): ReactNode {
  return tokens.map((token, index) => blockOf(token as MarkedToken, index, depth, start));
}

function blockOf(token: MarkedToken, key: number, depth: number, start?: number): ReactNode {
  if (depth > maxDepth) return <p key={key}>{token.raw}</p>;
  switch (token.type) {
    case "heading":
      // Above them are the name of the agent, and who speaks.
      return createElement(`h${Math.min(6, Math.max(3, token.depth + 1))}`, { key }, ...inlineOf(token.tokens, depth));
    case "paragraph":
      return <p key={key}>{inlineOf(token.tokens, depth)}</p>;
    case "text":
      return <span key={key}>{inlineOf([token], depth)}</span>;
    case "code":
      return (
        <pre key={key}>
          <code>{token.text}</code>
        </pre>
      );
    case "blockquote":
      return <blockquote key={key}>{blocksOf(token.tokens, depth + 1)}</blockquote>;
    case "list":
      return listOf(token, key, depth, start);
    case "table":
      return tableOf(token, key, depth);
    case "hr":
      return <hr key={key} />;
    case "space":
    case "def":
    case "checkbox":
      return null;
    case "html":
      return (
        <p key={key} className="dim">
          {token.raw}
        </p>
      );
    default:
      return <p key={key}>{inlineOf([token], depth)}</p>;
  }
}

function listOf(list: Tokens.List, key: number, depth: number, start: number | undefined): ReactElement {
  const items = list.items.map((item, index) => (
    <li key={index}>
      {item.task ? (item.checked === true ? "☑ " : "☐ ") : null}
      {blocksOf(item.tokens, depth + 1)}
    </li>
  ));
  return list.ordered ? (
    <ol key={key} start={start ?? Number(list.start)}>
      {items}
    </ol>
  ) : (
    <ul key={key}>{items}</ul>
  );
}

function tableOf({ header, rows, align }: Tokens.Table, key: number, depth: number): ReactElement {
  return (
    <div key={key} className="scroll" role="region" aria-label="Table" tabIndex={0}>
      <table>
        <thead>
          <tr>
            {header.map((cell, index) => (
              <th key={index} scope="col" className={align[index] ?? undefined}>
                {inlineOf(cell.tokens, depth)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <tr key={index}>
              {row.map((cell, at) => (
                <td key={at} className={align[at] ?? undefined}>
                  {inlineOf(cell.tokens, depth)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function inlineOf(tokens: readonly Token[], depth: number): ReactNode[] {
  return tokens.map((token, index) => inline(token as MarkedToken, index, depth + 1));
}

function inline(token: MarkedToken, key: number, depth: number): ReactNode {
  const inside = "tokens" in token ? token.tokens : undefined;
  if (inside === undefined && token.type === "text") return plainText(token);
  if (depth > maxDepth) return plainText({ ...token, type: "raw" });
  const children = inside === undefined ? [] : inlineOf(inside, depth);
  switch (token.type) {
    case "strong":
      return <strong key={key}>{children}</strong>;
    case "em":
      return <em key={key}>{children}</em>;
    case "del":
      return <del key={key}>{children}</del>;
    case "codespan":
      return <code key={key}>{plainText(token)}</code>;
    case "br":
      return <br key={key} />;
    case "link":
      return <Link key={key} href={token.href} said={token.text} text={children} />;
    case "image":
      // A picture from elsewhere is never loaded.
      return <Link key={key} href={token.href} said="" text={`[image: ${plainText(token)}]`} />;
    case "text":
      return <span key={key}>{children}</span>;
    default:
      return plainText(token);
  }
}

/** A link to a page or an address. Where it leads is what the user has to judge, so that is written out. */
function Link({
  href,
  said,
  text,
}: {
  readonly href: string;
  readonly said: string;
  readonly text: ReactNode;
}): ReactNode {
  const url = URL.canParse(href) ? new URL(href) : undefined;
  if (url === undefined || !schemes.has(url.protocol)) return [text, ` (${visibleText(href)})`];
  const place = url.protocol === "mailto:" ? url.pathname : url.host;
  const isSaid = said === href || said === place;
  return (
    <>
      <a href={url.href} target="_blank" rel="noopener noreferrer">
        {text}
      </a>
      {isSaid ? null : <span className="dim">{` (${visibleText(place)})`}</span>}
    </>
  );
}
