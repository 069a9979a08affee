import type { Received as Unstable } from "@acp/schema/v2/unstable/types";
import { applyPatch } from "../shared/patch.ts";
import { type AnyState, unreported } from "./session-state.ts";
import { cancelToolCalls, forgetToolCalls } from "./work.ts";

/** Applies a state of the session. The agent may report the same state again. */
export function updateForeground(state: AnyState, foreground: Unstable.StateUpdate): AnyState {
  const { foreground: before } = state;
  const background = ("background" in foreground ? foreground.background : undefined) ?? undefined;
  const isSame = before !== unreported && isEqual(before, foreground);
  const updated =
    isSame && background === state.background
      ? state
      : { ...state, foreground: isSame ? before : foreground, background };
  if (foreground.state !== "idle") return updated;
  const { stopReason } = foreground;
  // A session that was idle may repeat how its work has ended, as after a replay: that ends nothing. Work that ends in
  // another way may leave calls that go on: the agent reports how they end.
  const isCut = before.state !== "idle" && (stopReason === "cancelled" || stopReason === "error");
  return isCut ? cancelToolCalls(updated) : forgetToolCalls(updated);
}

/** Whether all members are the same. */
function isEqual(one: object, other: object): boolean {
  return applyPatch(one, other) === one && applyPatch(other, one) === other;
}
