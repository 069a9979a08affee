import { describeError } from "../../describe-error.ts";
import type { Task, ToolCall } from "../task.ts";

/** Shows why a tool call failed. Throws if the turn was cancelled, so that the instruction ends. */
export async function reportFailure({ signal }: Task, call: ToolCall, error: unknown): Promise<void> {
  await (signal.aborted ? call.cancel("cancelled") : call.fail(describeError(error)));
  signal.throwIfAborted();
}
