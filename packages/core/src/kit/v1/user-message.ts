import type { ContentBlock } from "@acp/schema/v1/types";
import type { AgentTurn } from "../../v1/agent-turn.ts";
import type { AnySession } from "./any-session.ts";
import { blocksOf } from "./content-blocks.ts";

/**
 * Sends what the user said, as a `session/load` handler does when it replays a conversation (SESS-06). All its
 * blocks share a message id.
 */
export async function userMessage(
  to: Pick<AnySession | AgentTurn, "update">,
  content: string | ContentBlock | readonly ContentBlock[],
): Promise<void> {
  const messageId = crypto.randomUUID();
  for (const block of blocksOf(content)) {
    await to.update({ sessionUpdate: "user_message_chunk", messageId, content: block });
  }
}
