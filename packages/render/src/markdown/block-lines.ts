import type { MarkedToken, Token, Tokens } from "marked";

import type { Format } from "../text/format.ts";
import { indent, type Line, span, wrapSpans } from "../text/spans.ts";
import { textWidth } from "../text/text-width.ts";
import { codeLines } from "./code-lines.ts";
import { inlineSpans } from "./inline-spans.ts";
import { tableLines } from "./table-lines.ts";

/** However deep lists and quotes are, their text is at least so wide. */
const minWidth = 12;
/** Lists and quotes within more others than this are shown as they are written. */
const maxDepth = 12;
const bullets = ["•", "◦", "▪"];

/** Draws blocks of Markdown, with an empty line between them. */
export function blockLines(tokens: readonly Token[], width: number, depth = 0): Line[] {
  const shown = tokens.map((token) => linesOf(token as MarkedToken, width, depth)).filter((lines) => lines.length > 0);
  return shown.flatMap((lines, index) => (index === 0 ? lines : [[], ...lines]));
}

function linesOf(token: MarkedToken, width: number, depth: number): Line[] {
  if (depth > maxDepth) return wrapSpans([span(token.raw.trim())], width);
  switch (token.type) {
    case "heading":
      return wrapSpans(inlineSpans(token.tokens, headingFormats(token.depth)), width);
    case "paragraph":
      return wrapSpans(inlineSpans(token.tokens), width);
    case "text":
      return wrapSpans(inlineSpans([token]), width);
    case "code":
      return codeLines(token.text, token.lang ?? "", width);
    case "blockquote":
      return quoteLines(token, width, depth);
    case "list":
      return listLines(token, width, depth);
    case "table":
      return tableLines(token, width);
    case "hr":
      return [[span("─".repeat(Math.min(width, 40)), "dim")]];
    case "html":
      return wrapSpans([span(token.raw.trimEnd(), "dim")], width);
    case "space":
    case "def":
    case "checkbox":
      return [];
    default:
      return wrapSpans(inlineSpans([token]), width);
  }
}

function headingFormats(depth: number): readonly Format[] {
  if (depth === 1) return ["bold", "underline"];
  return depth === 2 ? ["bold"] : ["bold", "italic"];
}

function quoteLines(token: Tokens.Blockquote, width: number, depth: number): Line[] {
  const inside = blockLines(token.tokens, Math.max(minWidth, width - 2), depth + 1);
  return indent(
    inside.map((line) => line.map(({ text, formats }) => ({ text, formats: [...formats, "italic"] }))),
    [span("▎ ", "dim")],
  );
}

function listLines(list: Tokens.List, width: number, depth: number): Line[] {
  const first = Number(list.start);
  const marks = list.items.map((item, index) => {
    const mark = list.ordered ? `${first + index}.` : (bullets[depth % bullets.length] ?? "");
    return item.task ? `${list.ordered ? `${mark} ` : ""}[${item.checked === true ? "x" : " "}]` : mark;
  });
  const hang = Math.max(...marks.map(textWidth)) + 1;
  return list.items.flatMap((item, index) => {
    const lines = itemLines(item, Math.max(minWidth, width - hang), depth + 1);
    const mark = (marks[index] ?? "").padEnd(hang);
    const isDone = item.task && item.checked === true;
    const shown = lines.length === 0 ? [[]] : lines;
    return indent(shown, [span(mark, isDone ? "green" : "cyan")], [span(" ".repeat(hang))]);
  });
}

/** The blocks of an item. They stand close together, unless one of them needs room. */
function itemLines(item: Tokens.ListItem, width: number, depth: number): Line[] {
  const shown = item.tokens
    .map((token) => ({ type: token.type, lines: linesOf(token as MarkedToken, width, depth) }))
    .filter(({ lines }) => lines.length > 0);
  return shown.flatMap(({ type, lines }, index) =>
    index > 0 && item.loose && type !== "list" ? [[], ...lines] : lines,
  );
}
