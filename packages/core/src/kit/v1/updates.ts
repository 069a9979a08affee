import type { ContentBlock, Notice, ToolCallContent } from "@acp/schema/v1/types";
import * as shared from "../shared/compaction.ts";
import { type Blocks, toBlocks } from "../shared/content.ts";
import type { UpdateTarget } from "./any-session.ts";

/**
 * Tells the client that the agent begins to shorten its context. Nothing is sent to a client that did not advertise
 * `session.compaction`; one diagnostic reports that (NOTC-06).
 */
export const startCompaction: (to: UpdateTarget) => Promise<shared.Compaction> = shared.startCompaction;

/**
 * Shows the user a notice that is not part of the conversation, and that nothing depends on (NOTC-03). It is not sent to a
 * client that did not advertise notices; a diagnostic reports that (NOTC-01). Resolves with whether it was sent.
 */
export function sendNotice(to: UpdateTarget, notice: Notice): Promise<boolean> {
  return to.offer({ sessionUpdate: "notice", ...notice });
}

/**
 * Sends a message of the user, as a `session/load` handler does when it replays a conversation (SESS-06). All its blocks
 * share a message id.
 */
export async function userMessage(to: Pick<UpdateTarget, "update">, content: Blocks<ContentBlock>): Promise<void> {
  const messageId = crypto.randomUUID();
  for (const block of toBlocks(content)) {
    await to.update({ sessionUpdate: "user_message_chunk", messageId, content: block });
  }
}

/** A change of a file. */
export interface FileDiff {
  /** Absolute (TOOL-10). */
  readonly path: string;
  /** The text before; leave it out for a new file. */
  readonly oldText?: string | null | undefined;
  /** The text after. */
  readonly newText: string;
}

/** A change of a file, to show in a tool call: `await call.complete([diff({ path, oldText, newText })])`. */
export function diff({ path, oldText, newText }: FileDiff): Extract<ToolCallContent, { type: "diff" }> {
  return { type: "diff", path, oldText: oldText ?? null, newText };
}
