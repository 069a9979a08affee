import { UsageError } from "../../base/errors.ts";
import type { ToolCallChange } from "../../v1/agent-turn.ts";
import { outputMember } from "../../session/agent/tool-output.ts";
import type { AnySession, AnyTurn } from "./any-session.ts";

/** What is known of a tool call by now. The first report of an id needs a `title`. */
export type ToolCallReport = ToolCallChange & {
  /** The id that you gave it. */
  readonly toolCallId: string;
};

/** Ids of tool calls that were reported, by session. */
const reported = new WeakMap<AnySession, Set<string>>();

/**
 * Reports a tool call under an id of yours: as a new one when its session sees the id for the first time, else as a
 * change. For agents that pass on what a model or another agent does, from its beginning to its end with this one
 * function. For tool calls of the agent's own there is `turn.toolCall`.
 *
 * @throws {UsageError} if the id is new, and there is no title.
 */
export async function sendToolCall(turn: AnyTurn, { content, ...report }: ToolCallReport): Promise<void> {
  const { toolCallId, title } = report;
  const seen = reported.get(turn.session) ?? new Set();
  reported.set(turn.session, seen);
  const output = outputMember(content);
  if (seen.has(toolCallId)) return turn.update({ sessionUpdate: "tool_call_update", ...report, ...output });
  if (typeof title !== "string") throw new UsageError(`The first report of the tool call ${toolCallId} needs a title`);
  // In the same step, so that a second report made at once counts as the second.
  seen.add(toolCallId);
  try {
    const { kind, status, locations, ...rest } = report;
    await turn.update({
      sessionUpdate: "tool_call",
      ...rest,
      title,
      ...(kind == null ? {} : { kind }),
      ...(status == null ? {} : { status }),
      ...(locations == null ? {} : { locations }),
      ...output,
    });
  } catch (error) {
    seen.delete(toolCallId);
    throw error;
  }
}
