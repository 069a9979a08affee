import type { Received as Unstable } from "@acp/schema/v2/unstable/types";
import { patched } from "../shared/patch.ts";
import { type AnyState, untold } from "./session-state.ts";
import { cancelToolCalls, forgetToolCalls } from "./work.ts";

/** Takes in what the session does. The agent may say the same again. */
export function updateForeground(state: AnyState, foreground: Unstable.StateUpdate): AnyState {
  const { foreground: before } = state;
  const background = ("background" in foreground ? foreground.background : undefined) ?? undefined;
  const isSame = before !== untold && isEqual(before, foreground);
  const told =
    isSame && background === state.background
      ? state
      : { ...state, foreground: isSame ? before : foreground, background };
  if (foreground.state !== "idle") return told;
  const { stopReason } = foreground;
  // A session that was idle says again how its work has ended, as after a replay: that ends nothing. What has ended otherwise
  // may leave calls behind that go on: it is for the agent to say.
  const isCut = before.state !== "idle" && (stopReason === "cancelled" || stopReason === "error");
  return isCut ? cancelToolCalls(told) : forgetToolCalls(told);
}

/** Whether all members are the same. */
function isEqual(one: object, other: object): boolean {
  return patched(one, other) === one && patched(other, one) === other;
}
