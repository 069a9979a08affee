import { inspect } from "node:util";

type Format = "bold" | "cyan" | "dim" | "green" | "inverse" | "italic" | "red" | "yellow";

/** Colours a text, or leaves it as it is. */
export type Style = (format: Format | readonly Format[], text: string) => string;

/** Colours only for a terminal, and only if the user does not object (https://no-color.org). */
export function createStyle(isTerminal: boolean, env: Readonly<Record<string, string | undefined>>): Style {
  const { NO_COLOR: noColor = "" } = env;
  if (!isTerminal || noColor !== "" || env["TERM"] === "dumb") return (_, text) => text;
  return (format, text) => (text === "" ? "" : [format].flat().reduce(wrap, text));
}

/** As `styleText` does, which came with Node 20.12. */
function wrap(text: string, format: Format): string {
  const [open, close] = inspect.colors[format] ?? [0, 0];
  return `\u001B[${open}m${text}\u001B[${close}m`;
}
