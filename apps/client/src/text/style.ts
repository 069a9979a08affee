import { inspect } from "node:util";

export type Format =
  | "blue"
  | "bold"
  | "cyan"
  | "dim"
  | "green"
  | "inverse"
  | "italic"
  | "magenta"
  | "red"
  | "strikethrough"
  | "underline"
  | "yellow";

/** Formats a text, or returns it unchanged. */
export type Style = (format: Format | readonly Format[], text: string) => string;

/** Formats text only for a terminal; without colours if the user sets `NO_COLOR` (https://no-color.org). */
export function createStyle(isTerminal: boolean, env: Readonly<Record<string, string | undefined>>): Style {
  if (!isTerminal || env["TERM"] === "dumb") return (_, text) => text;
  const { NO_COLOR: noColor = "" } = env;
  const isUsed = noColor === "" ? () => true : (format: Format) => !colours.has(format);
  return (format, text) => (text === "" ? "" : [format].flat().filter(isUsed).reduce(wrap, text));
}

const colours: ReadonlySet<Format> = new Set(["blue", "cyan", "green", "magenta", "red", "yellow"]);

/** Does the same as `styleText`, which Node has since 20.12. */
function wrap(text: string, format: Format): string {
  const [open, close] = inspect.colors[format] ?? [0, 0];
  return `\u001B[${open}m${text}\u001B[${close}m`;
}
