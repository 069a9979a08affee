import { visibleText } from "@acp/core/state";
import type { AskedAction } from "@acp/render";

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
