import { fillSpans, indent, type Line, span, withoutTabs } from "../text/spans.ts";
import { highlight, languageName } from "./highlight.ts";

const margin = 2;
/** What may begin a comment or a string of several lines. Code without it has the same colours wherever it stands. */
const severalLines = /\/\*|`|"""|'''|<!--|\{-|--\[\[|^=\w/mu;

/**
 * Draws the lines of a code block. `before` is the code above them, which decides about their colours: they may be in the
 * middle of a comment.
 */
export function codeLines(code: string, language: string, width: number, before = ""): Line[] {
  const isAlone = before === "" || !severalLines.test(before);
  const spans = highlight(withoutTabs(isAlone ? code : before + code), languageName(language));
  const lines = fillSpans(spans, width - margin);
  if (isAlone) return indent(lines, [span(" ".repeat(margin))]);
  const above = fillSpans([span(withoutTabs(before.replace(/\n$/u, "")))], width - margin).length;
  return indent(lines.slice(above), [span(" ".repeat(margin))]);
}
