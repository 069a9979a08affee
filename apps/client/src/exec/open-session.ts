import { ExitCode, ProgramFailure, exitCodeOf } from "../cli/exit.ts";
import type { Agent, Session } from "../protocol/agent.ts";
import { within } from "../protocol/time-limit.ts";
import type { NamedSession } from "../sessions/named-session.ts";
import type { SessionEvent } from "./events/exec-event.ts";
import { optionError } from "../cli/options.ts";
import { printableLine } from "../text/printable.ts";
import { execSpec } from "./exec-spec.ts";
import { createFailure, type Failure } from "../protocol/failure.ts";

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

const specs = execSpec.options;

/** How many values an error lists. */
const listed = 12;

/**
 * Selects the mode and the model of a session by their id, or by their name.
 *
 * @throws {CommandLineError} if the agent has no such one.
 */
export async function selectOptions(
  session: Session,
  wanted: { readonly mode: string | undefined; readonly model: string | undefined },
): Promise<void> {
  for (const category of ["mode", "model"] as const) {
    const value = wanted[category];
    if (value === undefined) continue;
    const option = session.shown.options.find((one) => one.category === category);
    if (option === undefined)
      throw optionError(
        category,
        specs[category],
        `--${category}: the agent has no ${category}s to choose from. Leave it out`,
      );
    const choice =
      option.choices.find((one) => one.value === value) ??
      option.choices.find(({ name }) => name.toLowerCase() === value.toLowerCase());
    if (choice === undefined) {
      const values = option.choices.slice(0, listed).map((one) => printableLine(one.value));
      const more = option.choices.length > listed ? ", …" : "";
      throw optionError(
        category,
        specs[category],
        `--${category}: there is no ${value}. The agent has ${values.join(", ")}${more}`,
      );
    }
    if (choice.value !== option.value) await session.setOption(option, choice.value);
  }
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
