import type { ContentBlock } from "@acp/schema/v1/types";
import { UsageError } from "../../base/errors.ts";
import type { AgentTurn } from "../../v1/agent-turn.ts";
import type { TextBlock } from "../../session/agent/send-content.ts";
import type { AnySession } from "./any-session.ts";
import { type Blocks, blocksOf } from "./content-blocks.ts";

/**
 * A compaction of the context that the client was told of (NOTC-07). It ends once: after that, every method rejects with
 * a {@link UsageError}.
 */
export interface Compaction<Block = ContentBlock> {
  /** Its id in the updates: a random UUID. */
  readonly id: string;
  /** A piece of what the shortened context says, to be added to what came before. */
  chunk(content: string | Block): Promise<void>;
  /** The context is shorter now. `summary` replaces the pieces that were sent. */
  complete(summary?: string | Block | readonly Block[]): Promise<void>;
  /** It did not work; the context is as it was. */
  fail(error: string): Promise<void>;
  /** It was given up; the context is as it was. */
  cancel(): Promise<void>;
}

type Status = "in_progress" | "completed" | "failed" | "cancelled";

/** How a client is told of one, with the blocks of a version of the protocol. */
interface Told<Block> {
  update(
    update:
      | {
          sessionUpdate: "compaction_update";
          compactionId: string;
          status: Status;
          summary?: (Block | TextBlock)[];
          error?: string;
        }
      | { sessionUpdate: "compaction_summary_chunk"; compactionId: string; content: Block | TextBlock },
  ): Promise<void>;
  offer(update: { sessionUpdate: "compaction_update"; compactionId: string; status: Status }): Promise<boolean>;
}

/**
 * Tells the client that the agent begins to shorten its context. To a client that did not advertise `session.compaction`
 * nothing of it is sent, and one diagnostic tells (NOTC-06).
 */
export const startCompaction: (to: Pick<AnySession | AgentTurn, "update" | "offer">) => Promise<Compaction> =
  beginCompaction;

/** The same in each version of the protocol. */
export async function beginCompaction<Block extends object>(to: Told<Block>): Promise<Compaction<Block>> {
  const id = crypto.randomUUID();
  const isTold = await to.offer({ sessionUpdate: "compaction_update", compactionId: id, status: "in_progress" });
  let status: Status = "in_progress";
  const check = (): void => {
    if (status !== "in_progress") throw new UsageError(`The compaction has ended: ${status}`);
  };
  const end = async (last: Status, more: { summary?: (Block | TextBlock)[]; error?: string } = {}): Promise<void> => {
    check();
    status = last;
    if (isTold) await to.update({ sessionUpdate: "compaction_update", ...more, compactionId: id, status: last });
  };
  return {
    id,
    chunk: async (content) => {
      check();
      for (const block of isTold ? blocksOf(content) : []) {
        await to.update({ sessionUpdate: "compaction_summary_chunk", compactionId: id, content: block });
      }
    },
    complete: (summary?: Blocks<Block>) =>
      end("completed", summary === undefined ? {} : { summary: blocksOf(summary) }),
    fail: (error) => end("failed", { error }),
    cancel: () => end("cancelled"),
  };
}
