import type { SessionUpdate } from "@acp/core/unstable";

/** An update as a later client can be shown it: the terminals in it were those of this client. */
export function withoutTerminals(update: SessionUpdate): SessionUpdate {
  if (update.sessionUpdate !== "tool_call" && update.sessionUpdate !== "tool_call_update") return update;
  if (update.content == null) return update;
  return { ...update, content: update.content.filter(({ type }) => type !== "terminal") };
}
