import { visibleText } from "@acp/core/state";
import type { MarkedToken, Token, Tokens } from "marked";

import type { Format } from "../text/format.ts";
import { withoutControls } from "../text/printable.ts";
import { type Span, span } from "../text/spans.ts";

/** The spans of text within a block: emphasis, code, links. */
export function inlineSpans(tokens: readonly Token[], formats: readonly Format[] = []): Span[] {
  return tokens.flatMap((token) => spansOf(token as MarkedToken, formats));
}

function spansOf(token: MarkedToken, formats: readonly Format[]): Span[] {
  const inside = (...more: readonly Format[]): Span[] =>
    inlineSpans("tokens" in token ? (token.tokens ?? []) : [], [...formats, ...more]);
  switch (token.type) {
    case "strong":
      return inside("bold");
    case "em":
      return inside("italic");
    case "del":
      return inside("strikethrough");
    case "codespan":
      return [span(plainText(token), ...formats, "cyan")];
    case "br":
      return [span("\n")];
    case "link": {
      const text = inside("underline");
      const shown = text.map((one) => one.text).join("");
      // Where a link leads is what the user has to judge, so it is always written out.
      const url = visibleText(token.href);
      const isSaid = url === shown || url === `mailto:${shown}`;
      return isSaid ? text : [...text, span(` (${url})`, ...formats, "dim")];
    }
    case "image":
      return [span(`[image: ${plainText(token)}] (${visibleText(token.href)})`, ...formats, "dim")];
    case "text":
      return token.tokens === undefined ? [span(plainText(token), ...formats)] : inside();
    case "html":
      return [span(plainText(token), ...formats, "dim")];
    default:
      return [span(plainText(token), ...formats)];
  }
}

/** The text of a token that has no others within it, in one line and without control characters. HTML is text. */
export function plainText(token: Token): string {
  switch (token.type) {
    case "text":
      return withoutEntities(oneLine((token as Tokens.Text).text));
    case "codespan":
    case "escape":
    case "image":
      return oneLine((token as Tokens.Codespan).text);
    default:
      return oneLine(token.raw);
  }
}

/** A line break in the source is a space, as in other programs; only a backslash and two spaces break a line. */
function oneLine(text: string): string {
  // Of `&#27;` the parser makes the control character.
  return withoutControls(text).replaceAll(/[ \t\r]*\n[ \t]*/gu, " ");
}

const entities: Readonly<Record<string, string>> = {
  "&amp;": "&",
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&#39;": "'",
  "&nbsp;": " ",
};

/** Replaces the entities that agents use; all others, which could be control characters, are shown as they are. */
function withoutEntities(text: string): string {
  return text.replaceAll(/&(?:amp|lt|gt|quot|#39|nbsp);/gu, (entity) => entities[entity] ?? entity);
}
