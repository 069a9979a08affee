import { visibleText } from "@acp/core/state";

import { createFailure, type Failure } from "../failure.ts";
import type { AskedAction } from "./question.ts";

/** How many refused actions are named. */
const named = 3;

/** What a question asks for, in a line: what would run or change, and only without that what the agent calls it. */
export function summaryOf({
  commands,
  directories,
  paths,
  details,
  kind,
  title,
}: Pick<AskedAction, "commands" | "directories" | "paths" | "details" | "kind" | "title">): string {
  const [command, ...more] = commands;
  const others = more.length === 0 ? "" : ` and ${more.length} more`;
  const [directory] = directories;
  if (command !== undefined)
    return visibleText(`${command}${others}${directory === undefined ? "" : ` in ${directory}`}`);
  const url = details.find(({ name }) => name === "url")?.value;
  const [subject, ...further] = [...paths, ...(url === undefined ? [] : [url])];
  if (subject === undefined) return visibleText(title);
  return visibleText(`${kind} ${subject}${further.length === 0 ? "" : ` and ${further.length} more`}`);
}

/** The failure of a turn in which nobody was there to give a permission. */
export function refusal(titles: readonly string[]): Failure {
  const distinct = [...new Set(titles)];
  const list = distinct.slice(0, named).map((title) => `'${title}'`);
  const more = distinct.length > named ? [`${distinct.length - named} more`] : [];
  return createFailure(
    "permission_denied",
    `Nobody was there to permit ${[...list, ...more].join(", ")}`,
    "Allow what the agent may do with --policy read, edit or all, or with --allow-read, --allow-edit or --allow-command",
  );
}
