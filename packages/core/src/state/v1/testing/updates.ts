import type { Received } from "@acp/schema/v1";
import type { Received as Unstable } from "@acp/schema/v1/unstable";
import type { SessionEvent } from "../../../v1/session-event.ts";
import { reduceSession } from "../reduce-session.ts";
import { initialState, type SessionState } from "../session-state.ts";
import type { UnstableTimelineItem } from "../timeline-items.ts";

export type UnstableState = SessionState<UnstableTimelineItem, Unstable.PromptResponse>;

/** The events of updates. */
export function updates<Update>(...list: readonly Update[]): SessionEvent<Update>[] {
  return list.map((update) => ({ type: "update", update }));
}

/** The state that events lead to. */
export function stateAfter(events: readonly SessionEvent[], start: SessionState = initialState()): SessionState {
  return events.reduce<SessionState>((state, event) => reduceSession(state, event), start);
}

/** The state that updates lead to, with the unstable part of the protocol. */
export function unstableStateAfter(...list: readonly Unstable.SessionUpdate[]): UnstableState {
  const start: UnstableState = initialState();
  return list.reduce<UnstableState>((state, update) => reduceSession(state, { type: "update", update }), start);
}

type ChunkKind = "user_message_chunk" | "agent_message_chunk" | "agent_thought_chunk";

/** A chunk of text. */
export function chunk(kind: ChunkKind, text: string, messageId?: string | null): Received.SessionUpdate {
  const content = { type: "text", text } as const;
  return messageId === undefined ? { sessionUpdate: kind, content } : { sessionUpdate: kind, content, messageId };
}

/** A chunk of text of the agent. */
export function said(text: string, messageId?: string | null): Received.SessionUpdate {
  return chunk("agent_message_chunk", text, messageId);
}
