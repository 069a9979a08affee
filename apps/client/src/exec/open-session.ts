import { ExitCode } from "../cli/exit-code.ts";
import { ProgramFailure } from "../cli/program-failure.ts";
import type { Agent, Session } from "../protocol/agent.ts";
import { within } from "../protocol/time-limit.ts";
import type { NamedSession } from "../sessions/named-session.ts";
import type { SessionEvent } from "./events/exec-event.ts";

/** An open session, and how it was opened. */
export interface OpenedSession {
  readonly session: Session;
  readonly opened: SessionEvent["opened"];
}

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
): Promise<OpenedSession> {
  if (known === undefined)
    return { opened: "new", session: await within(milliseconds, "session/new", agent.newSession(cwd)) };
  const { name, sessionId } = known;
  if (agent.can.resume)
    return {
      opened: "resumed",
      session: await within(milliseconds, "session/resume", agent.resumeSession(sessionId, cwd)),
    };
  if (agent.can.load)
    return { opened: "loaded", session: await within(milliseconds, "session/load", agent.loadSession(sessionId, cwd)) };
  throw new ProgramFailure(
    `The agent cannot open the session '${name}' again: it neither resumes nor loads sessions`,
    ExitCode.noSuchSession,
    "Choose another name for a new session",
  );
}
