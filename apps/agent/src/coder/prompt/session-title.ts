import { truncateText } from "../../truncate-text.ts";
import type { Prompt } from "../commands/command.ts";

const longest = 60;

/** The title of a session: the first line of its first prompt, shortened. `undefined` if that has no text. */
export function titleOf(prompt: Prompt): string | undefined {
  const text = prompt.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("\n");
  const line = text.trim().split("\n", 1)[0]?.trim() ?? "";
  if (line === "") return undefined;
  return line.length <= longest ? line : `${truncateText(line, longest - 1)}…`;
}
