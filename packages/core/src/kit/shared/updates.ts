import type { ContentBlock, SessionInfoUpdate, UsageUpdate } from "@acp/schema/v1/types";
import { UsageError } from "../../base/errors.ts";
import { randomId } from "../../base/random-id.ts";
import type { TextBlock } from "../../session/agent/send-content.ts";
import { type Blocks, toBlocks } from "./content.ts";
import { requireTarget } from "./any-session.ts";

/** A compaction of the context (NOTC-07). It ends once: after that, every method rejects with a {@link UsageError}. */
export interface Compaction<Block = ContentBlock> {
  /** The id of the compaction in the updates, a random UUID. */
  readonly id: string;
  /** Whether the client shows compactions. If not, nothing is sent. */
  readonly isShown: boolean;
  /** Sends the next part of the summary, which the client appends to the earlier parts. */
  chunk(content: string | Block): Promise<void>;
  /** Reports that the context is shorter now. `summary` replaces the parts that were sent. */
  complete(summary?: Blocks<Block>): Promise<void>;
  /** Reports that the compaction failed; the context is unchanged. */
  fail(error: string): Promise<void>;
  /** Reports that the compaction was cancelled; the context is unchanged. */
  cancel(): Promise<void>;
}

type Status = "in_progress" | "completed" | "failed" | "cancelled";

interface CompactionUpdate<Block> {
  sessionUpdate: "compaction_update";
  compactionId: string;
  status: Status;
  summary?: (Block | TextBlock)[];
  error?: string;
}

type SummaryChunk<Block> = {
  sessionUpdate: "compaction_summary_chunk";
  compactionId: string;
  content: Block | TextBlock;
};

interface CompactionTarget<Block> {
  update(update: CompactionUpdate<Block> | SummaryChunk<Block>): Promise<void>;
  offer(update: CompactionUpdate<Block>): Promise<boolean>;
}

/** What {@link startCompaction} of each version does. */
export async function startCompaction<Block extends object>(to: CompactionTarget<Block>): Promise<Compaction<Block>> {
  requireTarget(to, "startCompaction", "update", "offer");
  const sessionUpdate = "compaction_update";
  const compactionId = randomId();
  let status: Status = "in_progress";
  const isShown = await to.offer({ sessionUpdate, compactionId, status });
  const check = (): void => {
    if (status !== "in_progress") throw new UsageError(`The compaction has ended: ${status}`);
  };
  const end = async (last: Status, details?: Pick<CompactionUpdate<Block>, "summary" | "error">): Promise<void> => {
    check();
    status = last;
    if (isShown) await to.update({ sessionUpdate, ...details, compactionId, status });
  };
  return {
    id: compactionId,
    isShown,
    chunk: async (content) => {
      check();
      for (const block of isShown ? toBlocks(content) : []) {
        await to.update({ sessionUpdate: "compaction_summary_chunk", compactionId, content: block });
      }
    },
    complete: (summary) => end("completed", summary === undefined ? {} : { summary: toBlocks(summary) }),
    fail: (error) => end("failed", { error }),
    cancel: () => end("cancelled"),
  };
}

/**
 * Reports how full the context is, in tokens, and what the session has cost so far (UPD-06). In version 2, the cost is
 * unchanged if you leave it out, and `null` means that it is no longer reported.
 */
export function sendUsage(to: UpdateTarget<"usage_update", UsageUpdate>, usage: UsageUpdate): Promise<void> {
  requireTarget(to, "sendUsage", "update");
  return to.update({ sessionUpdate: "usage_update", ...usage });
}

/**
 * Reports the session's title, or when something last happened in it. Members that you leave out are unchanged; `null`
 * clears a member.
 */
export function sendSessionInfo(
  to: UpdateTarget<"session_info_update", SessionInfoUpdate>,
  info: SessionInfoUpdate,
): Promise<void> {
  requireTarget(to, "sendSessionInfo", "update");
  return to.update({ sessionUpdate: "session_info_update", ...info });
}

/** A turn, or a session between turns, of either version. */
interface UpdateTarget<Kind, Update> {
  update(update: { sessionUpdate: Kind } & Update): Promise<void>;
}
