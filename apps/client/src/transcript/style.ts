import { styleText } from "node:util";

type Format = Parameters<typeof styleText>[0];

/** Colours a text, or leaves it as it is. */
export type Style = (format: Format, text: string) => string;

/** Colours only for a terminal, and only if the user does not object (https://no-color.org). */
export function createStyle(isTerminal: boolean, env: Readonly<Record<string, string | undefined>>): Style {
  const { NO_COLOR: noColor = "" } = env;
  if (!isTerminal || noColor !== "" || env["TERM"] === "dumb") return (_, text) => text;
  return (format, text) => (text === "" ? "" : styleText(format, text, { validateStream: false }));
}
