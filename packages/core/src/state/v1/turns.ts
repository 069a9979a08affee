import type { ContentBlock } from "@acp/schema/v1/types";
import { cancelToolCalls, passOnToolCalls } from "../shared/call-turns.ts";
import { addPrompt } from "./messages.ts";
import { positionOf, withPosition } from "../shared/positions.ts";
import type { AnyState, AnyTurn } from "./session-state.ts";

/** The client sends a prompt. */
export function startTurn(state: AnyState, turn: number, prompt: readonly ContentBlock[]): AnyState {
  const { timeline, runningTurn } = state;
  const index = state.turns.length;
  const turns = state.turns.append({ turn, start: timeline.length, status: "running" });
  const prompted = addPrompt(state, prompt);
  const openTurns = withPosition(state.continuation.openTurns, String(turn), index);
  const started = { ...prompted, turns, continuation: { ...prompted.continuation, openTurns } };
  return runningTurn === undefined ? withRunningTurn(started, index) : started;
}

/** The client has cancelled a turn. */
export function cancelTurn(state: AnyState, turn: number): AnyState {
  const index = positionOf(state.continuation.openTurns, String(turn));
  const known = index === undefined ? undefined : state.turns.at(index);
  if (index === undefined || known?.status !== "running") return state;
  const turns = state.turns.replace(index, { turn, start: known.start, status: "cancelling" });
  return cancelToolCalls({ ...state, turns }, index);
}

/** What may end a turn. */
type End =
  | Pick<Extract<AnyTurn, { status: "ended" }>, "status" | "response">
  | Pick<Extract<AnyTurn, { status: "failed" }>, "status" | "error">;

/** A prompt was answered, or failed. */
export function endTurn(state: AnyState, turn: number, end: End): AnyState {
  const index = positionOf(state.continuation.openTurns, String(turn));
  const known = index === undefined ? undefined : state.turns.at(index);
  if (index === undefined || known === undefined || isOver(known)) return state;
  const turns = state.turns.replace(index, { turn, start: known.start, ...end });
  const settled = settleToolCalls({ ...state, turns }, index, end);
  if (index !== state.runningTurn) return settled;
  let next = index + 1;
  for (; next < turns.length; next++) {
    const other = turns.at(next);
    if (other !== undefined && !isOver(other)) break;
  }
  // Nothing that is said from here on belongs to a message of this turn.
  const continuation = { ...settled.continuation, message: undefined };
  return withRunningTurn({ ...settled, continuation }, next < turns.length ? next : undefined);
}

/** What becomes of the calls of a turn that it has not finished. */
function settleToolCalls(state: AnyState, index: number, end: End): AnyState {
  // A prompt that is refused while a turn runs has begun nothing: what was reported since is of that turn.
  const isRefused = end.status === "failed" && state.runningTurn !== undefined && index !== state.runningTurn;
  if (isRefused) return passOnToolCalls(state, index, state.runningTurn);
  // Of a turn that was cancelled or has failed nothing is running any more. Otherwise it is for the agent to say.
  const isWhole = end.status === "ended" && end.response.stopReason !== "cancelled";
  return isWhole ? state : cancelToolCalls(state, index);
}

/** The agent works on another turn now, and may repeat its prompt; or on none. */
function withRunningTurn(state: AnyState, runningTurn: number | undefined): AnyState {
  const turn = runningTurn === undefined ? undefined : state.turns.at(runningTurn);
  if (turn === undefined) {
    const continuation = { ...state.continuation, echo: undefined, openTurns: undefined, calls: undefined };
    return { ...state, runningTurn: undefined, continuation };
  }
  const echo = { position: turn.start, block: 0, character: 0 };
  return { ...state, runningTurn, continuation: { ...state.continuation, echo } };
}

function isOver({ status }: AnyTurn): boolean {
  return status === "ended" || status === "failed";
}
