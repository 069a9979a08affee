import { charactersOf, indent, type Line, lineWidth, span, textWidth, truncate, wrapSpans } from "@acp/render";
import { printable, printableLine } from "@acp/render/text";

const mark: Line = [span("✻ ", "dim")];
/** Of a long thought only so much is looked at for one line; in UTF-16 code units. */
const enough = 2_000;

/** Draws a thought in one line: its beginning, and how long it is. */
export function foldedThought(text: string, width: number): Line[] {
  const length = span(`  ${text.length.toLocaleString("en")} characters`, "dim");
  const beginning = plain(text.slice(0, enough));
  if (lineWidth([span(beginning)]) <= width - 2 && text.length <= enough) {
    return [[...mark, span(beginning, "dim", "italic")]];
  }
  const room = Math.max(1, width - 2 - lineWidth([length]));
  return [[...mark, ...truncate([span(beginning, "dim", "italic")], room), length]];
}

/** Draws the end of a thought in one line, while it goes on. */
export function growingThought(text: string, width: number): Line[] {
  const end = plain(text.slice(-enough));
  const room = width - 3;
  if (text.length <= enough && textWidth(end) <= room) return [[...mark, span(end, "dim", "italic")]];
  let shown = "";
  let taken = 0;
  for (const character of charactersOf(end).toReversed()) {
    taken += textWidth(character);
    if (taken > room) break;
    shown = character + shown;
  }
  return [[...mark, span("…", "dim"), span(shown.trimStart(), "dim", "italic")]];
}

export function wholeThought(text: string, width: number): Line[] {
  return indent(wrapSpans([span(printable(text).trim(), "dim", "italic")], width - 2), mark, [span("  ")]);
}

/** Thoughts are in Markdown, too: in one line its signs are in the way. */
function plain(text: string): string {
  return printableLine(text).replaceAll(/\*\*|__|`|^#+ /gu, "");
}
