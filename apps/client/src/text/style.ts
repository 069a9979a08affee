import { inspect } from "node:util";

import type { Format, Line } from "@acp/render";
import { withoutControls } from "@acp/render/text";

/** Formats a text, or returns it unchanged. */
export type Style = (format: Format | readonly Format[], text: string) => string;

/** Formats text only for a terminal; without colours if the user sets `NO_COLOR` (https://no-color.org). */
export function createStyle(isTerminal: boolean, env: Readonly<Record<string, string | undefined>>): Style {
  if (!isTerminal || env["TERM"] === "dumb") return (_, text) => text;
  const { NO_COLOR: noColor = "" } = env;
  const isUsed = noColor === "" ? () => true : (format: Format) => !/ /u.test(format) && !colours.has(format);
  return (format, text) => (text === "" ? "" : [format].flat().filter(isUsed).reduce(wrap, text));
}

const colours: ReadonlySet<Format> = new Set(["blue", "cyan", "green", "magenta", "red", "yellow"]);

/** Does the same as `styleText`, which Node has since 20.12. */
function wrap(text: string, format: Format): string {
  const [, ground, colour = ""] = /^([fb]g) ([\d;]+)$/u.exec(format) ?? [];
  const [open, close] = ground === undefined ? (inspect.colors[format] ?? [0, 0]) : [colour, ground === "fg" ? 39 : 49];
  return `\u001B[${open}m${text}\u001B[${close}m`;
}

/**
 * Formats a line for the terminal. Whatever its texts were made of, nothing in them acts on the terminal: this is the last
 * place to make sure of that.
 */
export function paint(line: Line, style: Style): string {
  return line
    .map(({ text, formats }) =>
      style(formats, control.test(text) ? withoutControls(text).replaceAll(/\s/gu, " ") : text),
    )
    .join("")
    .trimEnd();
}

const control = /[\p{Cc}\p{Bidi_Control}]/u;
