import { ExitCode, ProgramFailure, exitCodeOf } from "../cli/exit.ts";
import { type Agent, type Session, wayBack } from "../protocol/agent.ts";
import { within } from "../protocol/time-limit.ts";
import type { NamedSession } from "../sessions/named-session.ts";
import type { SessionEvent } from "../sessions/events/exec-event.ts";
import { createFailure, type Failure } from "../protocol/failure.ts";

/**
 * Opens a new session, or the one that is known: resumes it, or loads it where the agent cannot resume.
 *
 * @throws {ProgramFailure} if the agent can do neither.
 * @throws {TimeoutError} if it does not answer in time.
 */
export async function openSession(
  agent: Agent,
  cwd: string,
  known: NamedSession | undefined,
  milliseconds: number,
): Promise<{ readonly session: Session; readonly opened: SessionEvent["opened"] }> {
  if (known === undefined)
    return { opened: "new", session: await within(milliseconds, "session/new", agent.newSession(cwd)) };
  const how = wayBack(agent.can, "resume");
  if (how === undefined)
    throw new ProgramFailure(
      `The agent cannot open the session '${known.name}' again: it neither resumes nor loads sessions`,
      ExitCode.noSuchSession,
      "Choose another name for a new session",
    );
  const session = await within(milliseconds, `session/${how}`, agent.reopenSession(known.sessionId, cwd, how));
  return { opened: how === "load" ? "loaded" : "resumed", session };
}

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
