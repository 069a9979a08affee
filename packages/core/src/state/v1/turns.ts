import type { ContentBlock } from "@acp/schema/v1/types";
import type { Received as Unstable } from "@acp/schema/v1/unstable/types";
import { Timeline } from "../shared/timeline.ts";
import { findTurn, isOver, type TurnEnd } from "../shared/turns.ts";
import { addPrompt } from "./messages.ts";
import type { AnyState } from "./session-state.ts";
import { cancelToolCalls, moveToolCalls } from "./tool-calls.ts";

/** The client sends a prompt. */
export function startTurn(state: AnyState, turn: number, prompt: readonly ContentBlock[]): AnyState {
  const turns = state.turns.append({ turn, start: state.timeline.length, status: "running" });
  const started = { ...addPrompt(state, prompt), turns };
  return state.runningTurn === undefined ? setRunningTurn(started, state.turns.length) : started;
}

/** The client has cancelled a turn. */
export function cancelTurn(state: AnyState, turn: number): AnyState {
  const found = findTurn(state.turns, turn);
  if (found?.turn.status !== "running") return state;
  const { index } = found;
  const turns = state.turns.replace(index, { ...found.turn, status: "cancelling" });
  return cancelToolCalls({ ...state, turns }, index);
}

type End = TurnEnd<{ readonly response: Unstable.PromptResponse }>;

/** A prompt was answered, or failed. */
export function endTurn(state: AnyState, turn: number, end: End): AnyState {
  const found = findTurn(state.turns, turn);
  if (found === undefined || isOver(found.turn)) return state;
  const { index } = found;
  const turns = state.turns.replace(index, { turn, start: found.turn.start, ...end });
  const settled = settleToolCalls({ ...state, turns }, index, end);
  if (index !== state.runningTurn) return settled;
  let next = index + 1;
  while (isOver(turns.at(next))) next++;
  // Nothing that follows belongs to a message of this turn.
  const continuation = { ...settled.continuation, message: undefined };
  return setRunningTurn({ ...settled, continuation }, next < turns.length ? next : undefined);
}

/** Settles the calls that a turn leaves unfinished. */
function settleToolCalls(state: AnyState, index: number, end: End): AnyState {
  // A prompt that is refused while another turn runs has begun nothing: its calls belong to the running turn.
  const isRefused = end.status === "failed" && state.runningTurn !== undefined && index !== state.runningTurn;
  if (isRefused) return moveToolCalls(state, index, state.runningTurn);
  // Nothing of a cancelled or failed turn is running any more. After another end, the agent reports what becomes of them.
  const isComplete = end.status === "ended" && end.response.stopReason !== "cancelled";
  return isComplete ? state : cancelToolCalls(state, index);
}

/** The agent works on another turn now, and may repeat its prompt; or on none. */
function setRunningTurn(state: AnyState, runningTurn: number | undefined): AnyState {
  const turn = runningTurn === undefined ? undefined : state.turns.at(runningTurn);
  if (turn === undefined) {
    const continuation = { ...state.continuation, echo: undefined, calls: Timeline.empty };
    return { ...state, runningTurn: undefined, continuation };
  }
  const echo = { position: turn.start, block: 0, character: 0 };
  return { ...state, runningTurn, continuation: { ...state.continuation, echo } };
}
