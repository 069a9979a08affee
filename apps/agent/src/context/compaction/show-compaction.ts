import { type AnyTurn, tellUser } from "@acp/ai";
import { type Compaction, startCompaction } from "@acp/core/agent";
import { startCompaction as startCompaction2 } from "@acp/core/v2/agent";

/** A compaction as the user sees it. */
export interface ShownCompaction {
  /** The next part of the summary. */
  chunk(text: string): Promise<void>;
  complete(summary: string): Promise<void>;
  fail(reason: string): Promise<void>;
  cancel(): Promise<void>;
}

/**
 * Tells the client that the conversation is being shortened. Compactions are an unstable part of the protocol: clients that do not
 * show them get a notice, and those without notices a thought. They do not get the summary, which is for the model.
 */
export async function showCompaction(turn: AnyTurn): Promise<ShownCompaction> {
  // Only turns of version 2 ask for permission themselves.
  const compaction: Compaction = await ("requestPermission" in turn ? startCompaction2(turn) : startCompaction(turn));
  if (compaction.isShown) {
    return {
      chunk: (text) => compaction.chunk(text),
      complete: (summary) => compaction.complete(summary),
      fail: (reason) => compaction.fail(reason),
      cancel: () => compaction.cancel(),
    };
  }
  const title = "The conversation is getting long. The agent summarizes the older part of it.";
  await tellUser(turn, { severity: "info", title });
  return {
    ...hiddenCompaction,
    fail: (description) =>
      tellUser(turn, { severity: "warning", title: "The conversation could not be summarized.", description }),
  };
}

/** For a subagent, whose conversation nobody sees. */
export const hiddenCompaction: ShownCompaction = {
  chunk: () => Promise.resolve(),
  complete: () => Promise.resolve(),
  fail: () => Promise.resolve(),
  cancel: () => Promise.resolve(),
};
