import type { ContentBlock } from "@acp/schema/v1";
import { addPrompt } from "./messages.ts";
import type { AnyState, AnyTurn } from "./session-state.ts";
import { cancelToolCalls } from "./tool-calls.ts";

/** The client sends a prompt. */
export function startTurn(state: AnyState, turn: number, prompt: readonly ContentBlock[]): AnyState {
  const { turns, timeline, runningTurn } = state;
  const started = {
    ...addPrompt(state, prompt),
    turns: turns.append({ turn, start: timeline.length, status: "running" }),
  };
  return runningTurn === undefined ? withRunningTurn(started, turns.length) : started;
}

/** The client has cancelled a turn. What the agent gives up is what it works on. */
export function cancelTurn(state: AnyState, turn: number): AnyState {
  const index = indexOf(state, turn);
  const known = index === undefined ? undefined : state.turns.at(index);
  if (index === undefined || known?.status !== "running") return state;
  const { start } = known;
  const turns = state.turns.replace(index, { turn, start, status: "cancelling" });
  const working = state.turns.at(state.runningTurn ?? index) ?? known;
  return cancelToolCalls({ ...state, turns }, working.start);
}

/** What may end a turn. */
type End =
  | Pick<Extract<AnyTurn, { status: "ended" }>, "status" | "response">
  | Pick<Extract<AnyTurn, { status: "failed" }>, "status" | "error">;

/** A prompt was answered, or failed. */
export function endTurn(state: AnyState, turn: number, end: End): AnyState {
  const index = indexOf(state, turn);
  const known = index === undefined ? undefined : state.turns.at(index);
  if (index === undefined || known === undefined || isOver(known)) return state;
  const { start } = known;
  const turns = state.turns.replace(index, { turn, start, ...end });
  if (index !== state.runningTurn) return { ...state, turns };
  let next: number | undefined = index + 1;
  for (; next < turns.length; next++) {
    const other = turns.at(next);
    if (other !== undefined && !isOver(other)) break;
  }
  // Nothing that is said from here on belongs to a message of this turn.
  const continuation = { ...state.continuation, message: undefined };
  const ended = withRunningTurn({ ...state, turns, continuation }, next < turns.length ? next : undefined);
  // Of a turn that was cancelled or has failed nothing is running any more.
  const isWhole = end.status === "ended" && end.response.stopReason !== "cancelled";
  return isWhole ? ended : cancelToolCalls(ended, start);
}

/** The agent works on another turn now, and may repeat its prompt. */
function withRunningTurn(state: AnyState, runningTurn: number | undefined): AnyState {
  const turn = runningTurn === undefined ? undefined : state.turns.at(runningTurn);
  const echo = turn && { position: turn.start, block: 0, character: 0 };
  return { ...state, runningTurn, continuation: { ...state.continuation, echo } };
}

function isOver({ status }: AnyTurn): boolean {
  return status === "ended" || status === "failed";
}

/** Where in the turns one is that may be running; the last ones are looked at first. */
function indexOf({ turns }: AnyState, turn: number): number | undefined {
  for (let index = turns.length - 1; index >= 0; index--) {
    const known = turns.at(index);
    if (known?.turn === turn) return index;
  }
  return undefined;
}
