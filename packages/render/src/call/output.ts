import { remember } from "../text/remember.ts";
import type { ShownCall } from "../shown.ts";
import { fillSpans, type Line, withoutTabs } from "../text/spans.ts";
import { terminalLines } from "../text/terminal-lines.ts";
import { printable } from "../text/printable.ts";
import { highlight, languageName } from "../markdown/highlight.ts";
import { MarkdownStream } from "../markdown/markdown-stream.ts";
import { callTexts } from "./call.ts";

/** What came out of a call as text. */
export interface DrawnText {
  readonly lines: readonly Line[];
  /** How many of them will stay as they are while the call goes on. */
  readonly settled: number;
}

/** Longer texts are shown as they are, in UTF-16 code units. */
const maxFormatted = 60_000;

/** Drawing takes time, and a call is drawn again and again: what was drawn last, and for what. */
const lastDrawn = remember((_call: ShownCall): { for?: string; drawn?: DrawnText } => ({}));

/** The lines of a call's texts. What a command has printed keeps its lines and colours. */
export function outputLines(
  call: ShownCall,
  hasOutput: (terminalId: string) => boolean,
  width: number,
  isWhole = false,
): DrawnText {
  const texts = callTexts(call, hasOutput);
  const last = lastDrawn(call);
  const what = `${width} ${isWhole} ${texts.map(({ isRaw, text }) => `${isRaw}${text.length}`).join(" ")}`;
  if (last.for !== what || last.drawn === undefined) {
    last.for = what;
    const drawn = texts.map(({ text, isRaw }) =>
      linesOf(text, isRaw, call.kind, width, isWhole ? Infinity : undefined),
    );
    const lines = drawn.flatMap((one) => one.lines);
    const open = drawn.at(-1);
    last.drawn = { lines, settled: lines.length - (open === undefined ? 0 : open.lines.length - open.settled) };
  }
  return last.drawn;
}

function linesOf(text: string, isRaw: boolean, kind: string, width: number, limit: number | undefined): DrawnText {
  if (!isRaw && text.length <= maxFormatted) {
    const [, fence = "", info = "", code] = fenced.exec(text) ?? [];
    if (code !== undefined) {
      const end = code.search(new RegExp(`^ {0,3}${fence}[ \\t]*$`, "mu"));
      if (end === -1 || code.slice(end).trim() === fence)
        return codeLines(end === -1 ? code : code.slice(0, end), info);
    }
    if (!outputKinds.has(kind) && isMarkdown(text)) {
      const { done, live } = new MarkdownStream().draw(text, true, width);
      return { lines: [...done, ...live], settled: done.length };
    }
  }
  const lines = terminalLines(text.trimEnd(), limit);
  return text.endsWith("\n") ? { lines, settled: lines.length } : allButLast(lines);
}

/** A text that is one block of code, from its beginning. */
const fenced = /^\s*(`{3,}|~{3,})([^\n`]*)\n([^]*)$/u;

/** What agents write above the output of a command. */
const printed: ReadonlySet<string> = new Set(["", "ansi", "console", "log", "output", "text", "txt"]);

function codeLines(code: string, info: string): DrawnText {
  const text = code.replace(/\n$/u, "");
  const language = languageName(info);
  // oxlint-disable-next-line no-control-regex -- what a terminal has printed
  const isPrinted = /[\u001B\r]/u.test(text) || printed.has(language);
  return allButLast(
    isPrinted ? terminalLines(text) : fillSpans(highlight(withoutTabs(printable(text)), language), Infinity),
  );
}

function allButLast(lines: readonly Line[]): DrawnText {
  return { lines, settled: Math.max(0, lines.length - 1) };
}

/** Calls of these kinds show what is in a file, or what a command has printed. */
const outputKinds: ReadonlySet<string> = new Set(["read", "edit", "delete", "move", "search", "execute"]);

/**
 * Whether a text is plainly Markdown. Tools put everything into the same field, and a log with `#` and `*` at the beginning of
 * its lines must keep them: so signs for emphasis or links, which come in pairs, have to be there, or blocks that have an end.
 */
function isMarkdown(text: string): boolean {
  // oxlint-disable-next-line no-control-regex -- what a terminal has printed
  if (/\u001B/u.test(text)) return false;
  const fences = text.match(/^ {0,3}(?:`{3,}|~{3,})/gmu) ?? [];
  if (fences.length > 1 || /^[^|\n]*\|[^\n]*\n[ \t]{0,3}\|?[ \t]{0,3}:?-{3,}:?[ \t]*\|[ \t|:-]*$/mu.test(text))
    return true;
  const hasPairs = /(?<![\w*])\*\*[^\s*](?:[^*\n]*[^\s*])?\*\*(?!\*)|\]\(https?:\/\/[^\s)]{1,500}\)/u.test(text);
  return hasPairs && (!text.trim().includes("\n") || /^(?:#{1,6}|[ \t]*(?:[*+-]|\d{1,9}[.)]))[ \t]+\S/mu.test(text));
}
