import { exitCodeOf } from "../cli/exit-code.ts";
import { createFailure, type Failure } from "../protocol/failure.ts";

const advices: Readonly<Record<string, string>> = {
  refusal: "The agent refuses to answer: ask in other words",
  max_tokens: "The answer is not complete: ask for a shorter one, or go on with --session",
  max_turn_requests: "The work is not complete: go on with --session",
  cancelled: "The agent has cancelled it by itself",
};

/** Why a turn has ended before its work was done; `undefined` if it was. */
export function stoppedTurn(stopReason: string): Failure | undefined {
  if (stopReason === "end_turn") return undefined;
  const failure = createFailure("turn_stopped", `The turn ended with ${stopReason}`, advices[stopReason]);
  return { ...failure, exitCode: exitCodeOf(stopReason) };
}
