import type { ContentBlock } from "@acp/schema/v1/types";
import { UsageError } from "../../base/errors.ts";
import type { TextBlock } from "../../session/agent/send-content.ts";
import { type Blocks, toBlocks } from "./content.ts";

/**
 * A compaction of the context that was announced to the client (NOTC-07). It ends once: after that, every method rejects
 * with a {@link UsageError}.
 */
export interface Compaction<Block = ContentBlock> {
  /** Its id in the updates: a random UUID. */
  readonly id: string;
  /** Sends the next part of the summary, which the client adds to the earlier parts. */
  chunk(content: string | Block): Promise<void>;
  /** Reports that the context is shorter now. `summary` replaces the parts that were sent. */
  complete(summary?: Blocks<Block>): Promise<void>;
  /** Reports that it failed; the context is unchanged. */
  fail(error: string): Promise<void>;
  /** Reports that it was cancelled; the context is unchanged. */
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

interface SummaryChunk<Block> {
  sessionUpdate: "compaction_summary_chunk";
  compactionId: string;
  content: Block | TextBlock;
}

/** A session or turn, as far as a compaction is reported to it. */
interface UpdateTarget<Block> {
  update(update: CompactionUpdate<Block> | SummaryChunk<Block>): Promise<void>;
  offer(update: CompactionUpdate<Block>): Promise<boolean>;
}

/** What {@link startCompaction} of each version does. */
export async function startCompaction<Block extends object>(to: UpdateTarget<Block>): Promise<Compaction<Block>> {
  const sessionUpdate = "compaction_update";
  const compactionId = crypto.randomUUID();
  let status: Status = "in_progress";
  const isSupported = await to.offer({ sessionUpdate, compactionId, status });
  const check = (): void => {
    if (status !== "in_progress") throw new UsageError(`The compaction has ended: ${status}`);
  };
  const end = async (last: Status, details?: Pick<CompactionUpdate<Block>, "summary" | "error">): Promise<void> => {
    check();
    status = last;
    if (isSupported) await to.update({ sessionUpdate, ...details, compactionId, status });
  };
  return {
    id: compactionId,
    chunk: async (content) => {
      check();
      for (const block of isSupported ? toBlocks(content) : []) {
        await to.update({ sessionUpdate: "compaction_summary_chunk", compactionId, content: block });
      }
    },
    complete: (summary) => end("completed", summary === undefined ? {} : { summary: toBlocks(summary) }),
    fail: (error) => end("failed", { error }),
    cancel: () => end("cancelled"),
  };
}
