import type { ContentBlock } from "@acp/schema/v2/types";
import { findTurn, isOver, type TurnEnd } from "../shared/turns.ts";
import { addPrompt } from "./messages.ts";
import type { AnyState, AnyTurn, SessionState, TurnState, UnstableStateTypes } from "./session-state.ts";
import { cancelToolCalls } from "./work.ts";
import { requireObject } from "../../base/require-argument.ts";
import { readMember } from "../../base/values.ts";

/** The client sends a prompt. It becomes a message when the agent accepts it. */
export function startTurn(state: AnyState, turn: number, prompt: readonly ContentBlock[]): AnyState {
  return { ...state, turns: state.turns.append({ turn, prompt, status: "sent" }) };
}

/** The agent has accepted a prompt, as a message with this id. */
export function acceptTurn(state: AnyState, turn: number, messageId: string): AnyState {
  const found = findTurn(state.turns, turn);
  if (found === undefined || found.index < state.continuation.settled) return state;
  const { turn: known, index } = found;
  const accepted: AnyTurn =
    known.status === "sent" ? { ...known, status: "running", messageId } : { ...known, messageId };
  return addPrompt({ ...state, turns: state.turns.replace(index, accepted) }, messageId, known.prompt);
}

/** The client has cancelled all work except that in the background. */
export function cancelTurns(state: AnyState): AnyState {
  let { turns } = state;
  for (let index = state.continuation.firstOpen; index < turns.length; index++) {
    const turn = turns.at(index);
    if (turn?.status !== "sent" && turn?.status !== "running") continue;
    turns = turns.replace(index, { ...turn, status: "cancelling" });
  }
  return cancelToolCalls(turns === state.turns ? state : { ...state, turns });
}

/** The work that a prompt began is over. */
export function endTurn(
  state: AnyState,
  turn: number,
  end: TurnEnd<{ readonly idle: UnstableStateTypes["idle"] }>,
): AnyState {
  const found = findTurn(state.turns, turn);
  if (found === undefined || isOver(found.turn)) return state;
  const turns = state.turns.replace(found.index, { ...found.turn, ...end });
  let { firstOpen, settled } = state.continuation;
  while (isOver(turns.at(firstOpen))) firstOpen++;
  if (firstOpen === turns.length) settled = firstOpen;
  return { ...state, turns, continuation: { ...state.continuation, firstOpen, settled } };
}

/**
 * The prompts that the agent has not accepted yet, in order: show them after the timeline. They are not messages yet, and
 * the agent may put other messages before them.
 */
export function waitingTurns<T extends UnstableStateTypes>(
  state: Pick<SessionState<T>, "turns" | "continuation">,
): readonly TurnState<T>[] {
  requireObject(readMember(state, "continuation"), "waitingTurns() takes a state");
  const { turns, continuation } = state;
  return turns.slice(continuation.firstOpen).filter((turn) => turn.messageId === undefined && !isOver(turn));
}
