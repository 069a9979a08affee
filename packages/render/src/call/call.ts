import { visibleText } from "@acp/core/state";

import { describeContent } from "./describe-content.ts";
import type { CallEnd } from "./call-end.ts";
import type { ContentBlock, ShownCall, ShownDiff } from "../shown.ts";
import { pathIn } from "../text/paths.ts";
import { cutLine, printableLine } from "../text/printable.ts";
import { judgedSpans, type Line, span } from "../text/spans.ts";

/** What a call is, and where it works. */
export function headingLine(call: Pick<ShownCall, "title" | "kind" | "locations">, cwd: string): Line {
  const aside = [printableLine(call.kind), ...placesOf(call, cwd)].join("  ");
  return [span("● ", "cyan"), ...titleLine(call), span(`  ${aside}`, "dim")];
}

/** How a call ended, below its heading. */
export function endLine({ status, mark, format, hasFailed, note }: CallEnd): Line {
  // The agent has done what it wanted, which was something that failed.
  const isOdd = status === "completed" && hasFailed;
  const aside = isOdd || status === "cancelled" || note === "" ? "" : `  ${note}`;
  return [span("  "), span(`${mark} ${isOdd ? note : status}`, format), span(aside, "dim")];
}

/** The title of a call: the user judges it. */
export function titleLine({ title }: Pick<ShownCall, "title">): Line {
  return judgedSpans(cutLine(title), "bold");
}

/** The places of a call that neither its title nor the working directory says; of many, only how many more there are. */
export function placesOf({ title, locations }: Pick<ShownCall, "title" | "locations">, cwd: string): readonly string[] {
  const said = visibleText(title);
  const places = locations
    .filter(({ path }) => path !== cwd)
    .map(({ path, line }) => displayPath(path, cwd) + (typeof line === "number" && line > 1 ? `:${line}` : ""))
    .filter((place) => !said.includes(place));
  return places.length > 3 ? [...places.slice(0, 3), `${places.length - 3} more`] : places;
}

/**
 * The lines of a command, as one types it; none if one of these texts says it. Some agents use a general title, and have the
 * command only in the arguments.
 */
export function commandLines(command: string, said: Iterable<string>): Line[] {
  if (command === "" || [...said].some((text) => saysCommand(text, command))) return [];
  return command
    .split("\n")
    .map((line, index) => [span(index === 0 ? "$ " : "  ", "dim"), ...judgedSpans(cutLine(line))]);
}

/** The file of a change, unless the title of its call names it. */
export function fileLine({ path, isNew }: ShownDiff, { title }: Pick<ShownCall, "title">, cwd: string): Line[] {
  const file = displayPath(path, cwd);
  if (visibleText(title).includes(file) && !isNew) return [];
  return [[span(isNew ? `${file} (new file)` : file, "dim")]];
}

/** A text of a call: what came out, as it was printed (`isRaw`), or content. */
interface CallText {
  readonly text: string;
  readonly isRaw: boolean;
}

/** The text of the output, if the content does not show it; else the texts of the content. */
export function callTexts({ content, output }: ShownCall, hasOutput: (terminalId: string) => boolean): CallText[] {
  const { text } = output(hasOutput);
  const texts =
    text === undefined
      ? content.map((item) => ({
          isRaw: item.kind === "content" && item.content.type !== "text",
          text: item.kind !== "content" ? "" : describedText(item.content),
        }))
      : [{ isRaw: true, text }];
  return texts.filter((one) => one.text.trim() !== "");
}

/** As it is if it is a text: it may have colours. */
function describedText(content: ContentBlock): string {
  return content.type === "text" ? content.text : describeContent(content);
}

/**
 * Whether the title of a call is its command. Agents also send it in code marks, quoted as one word (codex-acp 2), or as the
 * script of a shell (codex-acp before that): the transcript need not have it twice. A question always shows it.
 */
export function saysCommand(text: string, command: string): boolean {
  if (text === command || text === `\`${command}\``) return true;
  const words = wordsOf(command);
  const [first = "", option = "", script] = words;
  if (words.length === 1) return first === text;
  return words.length === 3 && shells.test(first) && /^-l?c$/u.test(option) && script === text;
}

const shells = /^(?:(?:\/usr)?\/bin\/)?(?:ba|da|z)?sh$/u;

/** A part of a word that a shell takes as it is, within quotes or behind a backslash. */
const quoted = /'[^']*'|"(?:[^"\\$`]|\\[^])*"|\\[^\n]/u.source;
const word = new RegExp(String.raw`(?:${quoted}|[\w@%+=:,./-])+`, "uy");
const part = new RegExp(quoted, "gu");

/** The words of a line without anything but words; none if it has more. */
function wordsOf(line: string): readonly string[] {
  const words: string[] = [];
  for (let at = 0; at < line.length;) {
    word.lastIndex = at;
    const found = word.exec(line)?.[0];
    if (found === undefined) return [];
    words.push(found.replaceAll(part, unquote));
    at += found.length;
    if (at < line.length && line[at] !== " ") return [];
    at += 1;
  }
  return words;
}

function unquote(text: string): string {
  if (text.startsWith("'")) return text.slice(1, -1);
  if (text.startsWith('"')) return text.slice(1, -1).replaceAll(/\\([\\"$`])/gu, "$1");
  return text.slice(1);
}

/** Shortens a path for the user: one inside the working directory is relative to it. */
function displayPath(path: string, cwd: string): string {
  return visibleText(pathIn(cwd, path));
}
