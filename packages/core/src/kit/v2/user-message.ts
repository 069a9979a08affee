import type { ContentBlock } from "@acp/schema/v2/types";
import { blocksOf } from "../v1/content-blocks.ts";
import { type MetaOptions, pickMeta } from "../../rpc/peer.ts";
import type { AgentTurn } from "../../v2/agent-turn.ts";
import type { AnySession } from "./any-session.ts";

/** Options of {@link userMessage}. */
export interface UserMessageOptions extends MetaOptions {
  /**
   * The id that the message has. A client that knows a message by this id has it once, with this content. Default: a random
   * UUID, which is a new message to every client.
   */
  readonly messageId?: string | undefined;
}

/**
 * Sends what the user said, as a `session/resume` handler does when it replays a conversation that it keeps in a form of its
 * own. Prompts of this connection are told by their turns.
 *
 * ```ts
 * "session/resume": async ({ replayFrom }, { session }) => {
 *   if (replayFrom?.type !== "start") return;
 *   for (const { id, text } of saved) await userMessage(session, text, { messageId: id });
 * },
 * ```
 */
export function userMessage(
  to: Pick<AnySession | AgentTurn, "update">,
  content: string | ContentBlock | readonly ContentBlock[],
  options?: UserMessageOptions,
): Promise<void> {
  const messageId = options?.messageId ?? crypto.randomUUID();
  return to.update({ sessionUpdate: "user_message", messageId, content: blocksOf(content), ...pickMeta(options) });
}
