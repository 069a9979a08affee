import { failureReason } from "../failure-reason.ts";
import type { Task, ToolCall } from "../task.ts";

/** Reports that a tool call came to nothing, and why. Throws if that is because the turn was cancelled. */
export async function reportFailure({ signal }: Task, call: ToolCall, error: unknown): Promise<void> {
  await (signal.aborted ? call.giveUp("cancelled") : call.fail(failureReason(error)));
  signal.throwIfAborted();
}
