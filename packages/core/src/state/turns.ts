import type { ContentBlock } from "@acp/schema/v1";
import { addPrompt } from "./messages.ts";
import type { AnyState, AnyTurn } from "./session-state.ts";
import { cancelToolCalls } from "./tool-calls.ts";

/** The client sends a prompt. */
export function startTurn(state: AnyState, turn: number, prompt: readonly ContentBlock[]): AnyState {
  const { turns, timeline, runningTurn } = state;
  return {
    ...addPrompt(state, prompt),
    turns: turns.append({ turn, start: timeline.length, status: "running" }),
    runningTurn: runningTurn ?? turns.length,
  };
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
  const continuation = { ...state.continuation, message: undefined, prompt: undefined };
  const ended = { ...state, turns, continuation, runningTurn: next < turns.length ? next : undefined };
  // Of a turn that was cancelled or has failed nothing is running any more.
  const isWhole = end.status === "ended" && end.response.stopReason !== "cancelled";
  return isWhole ? ended : cancelToolCalls(ended, start);
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
