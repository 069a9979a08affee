import type { Received } from "@acp/schema/v2/types";
import type { Received as Unstable } from "@acp/schema/v2/unstable/types";
import type { SessionEvent } from "../../../v2/session-event.ts";
import { reduceSession } from "../reduce-session.ts";
import { type AnyState, initialState, type SessionState, type UnstableStateTypes } from "../session-state.ts";

/** The events of updates. */
export function updates(...list: readonly Received.SessionUpdate[]): SessionEvent[] {
  return list.map((update) => ({ type: "update", update }));
}

/** The state that events lead to. */
export function stateAfter(events: readonly SessionEvent[], start: SessionState = initialState()): SessionState {
  return events.reduce<SessionState>((state, event) => reduceSession(state, event), start);
}

/** The state that updates lead to. */
export function stateOf(...list: readonly Received.SessionUpdate[]): SessionState {
  return stateAfter(updates(...list));
}

/** The state that updates lead to, with the unstable part of the protocol. */
export function unstableStateOf(...list: readonly Unstable.SessionUpdate[]): AnyState {
  const start: AnyState = initialState<UnstableStateTypes>();
  return list.reduce<AnyState>((state, update) => reduceSession(state, { type: "update", update }), start);
}

/** A block of text. */
export function block(text: string): { type: "text"; text: string } {
  return { type: "text", text };
}

/** A chunk of a message of the agent. */
export function said(text: string, messageId = "m"): Received.SessionUpdate {
  return { sessionUpdate: "agent_message_chunk", messageId, content: block(text) };
}

/** An update of a tool call. */
export function call(update: Omit<Received.ToolCallUpdate, "toolCallId">, toolCallId = "c"): Received.SessionUpdate {
  return { sessionUpdate: "tool_call_update", toolCallId, ...update };
}

/** The session works. */
export const running: Received.SessionUpdate = { sessionUpdate: "state_update", state: "running" };

/** The session is done. */
export function idle(stopReason: "end_turn" | "cancelled" | "error" = "end_turn"): Received.SessionUpdate {
  return { sessionUpdate: "state_update", state: "idle", stopReason };
}
