import type { Received } from "@acp/schema/v1/types";
import type { Received as Unstable } from "@acp/schema/v1/unstable/types";
import type { SessionEvent } from "../../v1/session-event.ts";
import type { AnyEvent, AnyState, SessionState } from "./session-state.ts";
import { reduceUpdate, setMode } from "./reduce-update.ts";
import type { TimelineItem, UnstableTimelineItem } from "./timeline-items.ts";
import { cancelAllToolCalls, updateToolCall } from "./tool-calls.ts";
import { runsElsewhere } from "./turn-elsewhere.ts";
import { cancelTurn, endTurn, startTurn } from "./turns.ts";
import { requireObject } from "../../base/require-argument.ts";

/**
 * The state after an event. A pure function: the same state and event make an equal state, and no state ever changes. So
 * saved events make the same state again, even as JSON. Works for version 1 with and without its unstable part.
 *
 * An event that changes nothing returns the same state object. But a plan, a list of commands or options, and usage
 * always count as a change. The time for an event grows with the logarithm of the session's length, even if you keep
 * every state.
 *
 * ```ts
 * const state = events.reduce(reduceSession, initialState());
 * ```
 */
export function reduceSession<Item extends UnstableTimelineItem = TimelineItem, Response = Received.PromptResponse>(
  state: SessionState<Item, Response>,
  event: SessionEvent<UpdateFor<Item>, Response>,
): SessionState<Item, Response>;
export function reduceSession(state: AnyState, event: AnyEvent): AnyState {
  requireObject(state, "reduceSession() takes a state first");
  requireObject(event, "reduceSession() takes an event second");
  switch (event.type) {
    case "opened":
      return openSession(state, event);
    case "update":
      return reduceUpdate(state, event.update);
    case "permission_requested":
      return updateToolCall(state, event.toolCall);
    case "turn_started":
      return startTurn(state, event.turn, event.prompt);
    case "turn_cancelled":
      return cancelTurn(state, event.turn);
    case "turn_ended":
      return endTurn(state, event.turn, { status: "ended", response: event.response });
    case "turn_failed":
      return endTurn(state, event.turn, { status: "failed", error: event.error });
    case "mode_set":
      return setMode(state, event.modeId);
    case "config_options_set":
      return { ...state, configOptions: event.configOptions };
    case "closed":
      return closeSession(state);
    default:
      event satisfies never;
      return state;
  }
}

/** The updates that make states with such items. */
type UpdateFor<Item> = UnstableTimelineItem extends Item ? Unstable.SessionUpdate : Received.SessionUpdate;

function openSession(state: AnyState, { modes, configOptions }: Extract<AnyEvent, { type: "opened" }>): AnyState {
  const opened = { ...state, modes, configOptions };
  // The process that left calls of the history unfinished is gone, unless a turn runs.
  return state.runningTurn === undefined && !runsElsewhere(state.info) ? cancelAllToolCalls(opened) : opened;
}

function closeSession(state: AnyState): AnyState {
  const { continuation } = state;
  // If a session goes on from this state, its next chunk is another message.
  const ended =
    continuation.message === undefined ? state : { ...state, continuation: { ...continuation, message: undefined } };
  return cancelAllToolCalls(ended);
}
