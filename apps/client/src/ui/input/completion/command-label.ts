import type { ChatCommand } from "../../chat-state.ts";

/** A command with its hint as in a usage line: `/mode <mode>`. Some agents put the brackets into the hint. */
export function commandLabel({ name, hint }: Pick<ChatCommand, "name" | "hint">): string {
  if (hint === undefined || hint === "") return `/${name}`;
  return /^[<[(]/u.test(hint) ? `/${name} ${hint}` : `/${name} <${hint}>`;
}
