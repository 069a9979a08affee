import { shownOutput } from "../../session/agent/tool-output.ts";
import type { AgentTurn } from "../../v2/agent-turn.ts";
import type { ToolCallChange } from "../../v2/reported-tool-call.ts";
import type { AnySession } from "./any-session.ts";

/** What is known of a tool call by now. What is left out stays as it was told last, `null` clears. */
export type ToolCallReport = ToolCallChange & {
  /** The id that you gave it, unique in the session. */
  readonly toolCallId: string;
};

/**
 * Reports a tool call under an id of yours: a new one when its session sees the id for the first time, else a change. For
 * agents that pass on what a model or another agent does, from its beginning to its end with this one function, in a turn or
 * between turns. For tool calls of the agent's own there is `turn.toolCall`.
 *
 * The client may cancel one that was reported with `capabilities: { cancel: {} }`. For that, the agent has a handler for
 * `tool_call/cancel`.
 */
export function sendToolCall(
  to: Pick<AnySession | AgentTurn, "update">,
  { content, ...report }: ToolCallReport,
): Promise<void> {
  return to.update({ sessionUpdate: "tool_call_update", ...report, ...shownOutput(content) });
}
