import type { SessionEvent } from "../../v2/session-event.ts";
import { reduceUpdate } from "./reduce-update.ts";
import {
  type AnyEvent,
  type AnyState,
  type SessionState,
  type StateTypes,
  type UnstableStateTypes,
  unreported,
} from "./session-state.ts";
import { updateToolCall } from "./tool-calls.ts";
import { acceptTurn, cancelTurns, endTurn, startTurn } from "./turns.ts";
import { endWork } from "./work.ts";
import { requireObject } from "../../base/require-argument.ts";

/**
 * The state after an event. A pure function: the same state and event make an equal state, and no state ever changes. So
 * saved events make the same state again, even as JSON. Works for version 2 with and without its unstable part.
 *
 * An event that changes nothing returns the same state object. But content, output, a plan, a list of commands or options, and usage
 * always count as a change. The time for an event grows with the logarithm of the session's length, even if you keep
 * every state.
 *
 * ```ts
 * const state = events.reduce(reduceSession, initialState());
 * ```
 */
export function reduceSession<T extends UnstableStateTypes = StateTypes>(
  state: SessionState<T>,
  event: SessionEvent<T["update"], T["idle"]>,
): SessionState<T>;
export function reduceSession(state: AnyState, event: AnyEvent): AnyState {
  requireObject(state, "reduceSession() takes a state first");
  requireObject(event, "reduceSession() takes an event second");
  switch (event.type) {
    case "opened":
      return { ...state, configOptions: event.configOptions, commands: event.commands };
    case "update":
      return reduceUpdate(state, event.update);
    case "permission_requested":
      return updateToolCall(state, event.toolCall);
    case "turn_started":
      return startTurn(state, event.turn, event.prompt);
    case "turn_accepted":
      return acceptTurn(state, event.turn, event.messageId);
    case "cancelled":
      return cancelTurns(state);
    case "turn_ended":
      return endTurn(state, event.turn, { status: "ended", idle: event.idle });
    case "turn_failed":
      return endTurn(state, event.turn, { status: "failed", error: event.error });
    case "config_options_set":
      return { ...state, configOptions: event.configOptions };
    case "closed": {
      const ended = endWork(state);
      return ended.foreground === unreported ? ended : { ...ended, foreground: unreported, background: undefined };
    }
    default:
      event satisfies never;
      return state;
  }
}
