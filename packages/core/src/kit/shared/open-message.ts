import type { ContentBlock } from "@acp/schema/v1/types";
import { UsageError } from "../../base/errors.ts";
import { ignoreRejection } from "../../base/promises.ts";
import { randomId } from "../../base/random-id.ts";
import { type MetaOptions, pickMeta } from "../../rpc/peer.ts";
import type { TextBlock } from "../../session/agent/send-content.ts";
import { checkRunning, requireTarget } from "./any-session.ts";

/** Options of `openMessage`. */
export interface OpenMessageOptions extends MetaOptions {
  /** Whether it is a message or the agent's reasoning. Default: `message`. */
  readonly kind?: "message" | "thought" | undefined;
}

/** A message that you write part by part. */
export interface OpenMessage<Block = ContentBlock> {
  /** The id of the message in the updates, a random UUID. */
  readonly id: string;
  /**
   * Sends the next part: a text or a content block. Empty texts are not sent. The promise stays pending while the
   * client is slow to read. If you do not await it, `end` reports its failure. After the turn is cancelled, it rejects
   * with the reason of the turn's signal; after `end` and after the turn, with a {@link UsageError}.
   */
  write(content: string | Block): Promise<void>;
  /**
   * Ends the message. Resolves when all parts are sent; rejects with the first failure of a part. May be called more
   * than once.
   */
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
  requireTarget(turn, "openMessage", "update");
  const sessionUpdate = options?.kind === "thought" ? "agent_thought_chunk" : "agent_message_chunk";
  const messageId = randomId();
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
