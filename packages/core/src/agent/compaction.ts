import type { CompactionUpdate, ContentBlock } from "@acp/schema/v1/types";
import { UsageError } from "../errors.ts";
import type { AgentTurn } from "../v1/agent-turn.ts";
import type { AnySession } from "./any-session.ts";

/** What a shortened context says. */
type Summary = string | ContentBlock;

/**
 * A compaction of the context that the client was told of (NOTC-07). It ends once: after that, every method rejects with
 * a {@link UsageError}.
 */
export interface Compaction {
  /** Its id in the updates: a random UUID. */
  readonly id: string;
  /** A piece of what the shortened context says, to be added to what came before. */
  chunk(content: Summary): Promise<void>;
  /** The context is shorter now. `summary` replaces the pieces that were sent. */
  complete(summary?: Summary | readonly ContentBlock[]): Promise<void>;
  /** It did not work; the context is as it was. */
  fail(error: string): Promise<void>;
  /** It was given up; the context is as it was. */
  cancel(): Promise<void>;
}

/**
 * Tells the client that the agent begins to shorten its context. To a client that did not advertise `session.compaction`
 * nothing of it is sent, and one diagnostic tells (NOTC-06).
 */
export async function startCompaction(to: Pick<AnySession | AgentTurn, "update" | "offer">): Promise<Compaction> {
  const id = crypto.randomUUID();
  const isTold = await to.offer({ sessionUpdate: "compaction_update", compactionId: id, status: "in_progress" });
  let status: CompactionUpdate["status"] = "in_progress";
  const check = (): void => {
    if (status !== "in_progress") throw new UsageError(`The compaction has ended: ${status}`);
  };
  const end = async (last: CompactionUpdate["status"], more: Partial<CompactionUpdate> = {}): Promise<void> => {
    check();
    status = last;
    if (isTold) await to.update({ sessionUpdate: "compaction_update", ...more, compactionId: id, status: last });
  };
  return {
    id,
    chunk: async (content) => {
      check();
      if (!isTold) return;
      await to.update({ sessionUpdate: "compaction_summary_chunk", compactionId: id, content: toBlock(content) });
    },
    complete: (summary) =>
      end("completed", summary === undefined ? {} : { summary: isList(summary) ? [...summary] : [toBlock(summary)] }),
    fail: (error) => end("failed", { error }),
    cancel: () => end("cancelled"),
  };
}

function toBlock(content: Summary): ContentBlock {
  return typeof content === "string" ? { type: "text", text: content } : content;
}

function isList(summary: Summary | readonly ContentBlock[]): summary is readonly ContentBlock[] {
  return Array.isArray(summary);
}
