import type { ContentBlock } from "@acp/schema/v1/types";
import { UsageError } from "../../base/errors.ts";
import { ignoreRejection } from "../../base/promises.ts";
import { type MetaOptions, pickMeta } from "../../rpc/peer.ts";
import type { TextBlock } from "../../session/agent/send-content.ts";
import { checkRunning } from "./any-session.ts";

/** How a message is opened. */
export interface OpenMessageOptions extends MetaOptions {
  /** Whether it is something that the agent says, or its reasoning. Default: `message`. */
  readonly kind?: "message" | "thought" | undefined;
}

/** A message that is written part by part. */
export interface OpenMessage<Block = ContentBlock> {
  /** Its id in the updates: a random UUID. */
  readonly id: string;
  /**
   * Sends the next part: a text or a content block. Empty texts are not sent. The promise is pending while the client is slow;
   * if nobody awaits it, `end` reports its failure. Rejects with the reason of the turn's signal once the turn is cancelled, and
   * with a {@link UsageError} after `end` and after the turn.
   */
  write(content: string | Block): Promise<void>;
  /** Ends the message. Resolves once all parts are sent; rejects with the first failure of a part. May be called twice. */
  end(): Promise<void>;
}

interface Part<Kind, Block> extends MetaOptions {
  sessionUpdate: Kind;
  messageId: string;
  content: Block | TextBlock;
}

interface MessageTarget<Block> {
  readonly ended: boolean;
  readonly signal: AbortSignal;
  update(update: Part<"agent_message_chunk", Block> | Part<"agent_thought_chunk", Block>): Promise<void>;
}

/** What {@link openMessage} of each version does. */
export function openMessage<Block extends object>(
  turn: MessageTarget<Block>,
  options?: OpenMessageOptions,
): OpenMessage<Block> {
  const sessionUpdate = options?.kind === "thought" ? "agent_thought_chunk" : "agent_message_chunk";
  const messageId = crypto.randomUUID();
  let isOpen = true;
  let sent: Promise<unknown> = Promise.resolve();

  async function send(content: string | Block): Promise<void> {
    if (!isOpen) throw new UsageError("The message has ended");
    checkRunning(turn);
    if (content === "") return;
    const block = typeof content === "string" ? ({ type: "text", text: content } as const) : content;
    await turn.update({ sessionUpdate, messageId, content: block, ...pickMeta(options) });
  }

  return {
    id: messageId,
    write(content) {
      const part = ignoreRejection(send(content));
      if (isOpen) sent = ignoreRejection(Promise.all([sent, part]));
      return part;
    },
    async end() {
      isOpen = false;
      await sent;
    },
  };
}
