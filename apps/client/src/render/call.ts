import { visibleText } from "@acp/core/state";

import { describeContent } from "../protocol/describe-content.ts";
import { saysCommand } from "../protocol/permission/says-command.ts";
import type { ShownCall, ShownDiff } from "../protocol/shown.ts";
import { displayPath } from "../text/display-path.ts";
import { cutLine, printable } from "../text/printable.ts";
import { judgedSpans, type Line, span } from "../text/spans.ts";

/** The title of a call: the user judges it. */
export function titleLine({ title }: Pick<ShownCall, "title">): Line {
  return judgedSpans(cutLine(title), "bold");
}

/** The places of a call that its title does not name; of many, only how many more there are. */
export function placesOf({ title, locations }: Pick<ShownCall, "title" | "locations">, cwd: string): readonly string[] {
  const said = visibleText(title);
  const places = locations
    .map(({ path, line }) => displayPath(path, cwd) + (typeof line === "number" ? `:${line}` : ""))
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

/** The text of the output, if the content does not show it; else the text of the content. */
export function outputText({ content, output }: ShownCall, hasOutput: (terminalId: string) => boolean): string {
  const { text } = output(hasOutput);
  if (text !== undefined) return printable(text);
  const texts = content.map((item) => (item.kind === "content" ? describeContent(item.content) : ""));
  return texts.filter((one) => one !== "").join("\n");
}
