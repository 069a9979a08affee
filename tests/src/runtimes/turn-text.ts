import type { Turn } from "@acp/core";

import { expectEqual } from "./check.ts";

/** The text of a whole turn. */
export async function textOf(turn: Turn): Promise<string> {
  const texts: string[] = [];
  for await (const update of turn.updates) {
    if (update.sessionUpdate === "agent_message_chunk" && update.content.type === "text")
      texts.push(update.content.text);
  }
  expectEqual((await turn.response).stopReason, "end_turn", "stop reason");
  return texts.join("");
}
