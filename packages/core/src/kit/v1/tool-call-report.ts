import { UsageError } from "../../base/errors.ts";
import { outputMember } from "../../session/agent/tool-output.ts";
import type { ToolCallChange } from "../../v1/agent-turn.ts";
import type { AnySession, AnyTurn } from "./any-session.ts";

/** What changes in a tool call. The first report of an id needs a `title`. */
export type ToolCallReport = ToolCallChange & {
  /** Your id for it. */
  readonly toolCallId: string;
};

/** The ids that were reported, by session. */
const reported = new WeakMap<AnySession, Set<string>>();

/**
 * Reports a tool call under your own id: a new one if the session does not know the id, else a change. For agents that pass
 * on what a model or another agent does, from beginning to end with this one function. For the agent's own tool calls there
 * is `turn.toolCall`.
 *
 * @throws {UsageError} the id is new, and there is no title.
 */
export async function sendToolCall(turn: AnyTurn, { content, ...report }: ToolCallReport): Promise<void> {
  const { toolCallId, title } = report;
  const ids = reported.get(turn.session) ?? new Set();
  reported.set(turn.session, ids);
  const output = outputMember(content);
  if (ids.has(toolCallId)) return turn.update({ sessionUpdate: "tool_call_update", ...report, ...output });
  if (typeof title !== "string") throw new UsageError(`The first report of the tool call ${toolCallId} needs a title`);
  // Before the first await: a second report of the same id must be a change.
  ids.add(toolCallId);
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
    ids.delete(toolCallId);
    throw error;
  }
}
