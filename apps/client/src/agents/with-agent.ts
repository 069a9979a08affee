import type { LaunchSettings } from "./launch-settings.ts";
import { ProgramFailure } from "../cli/exit.ts";
import type { Agent } from "../protocol/agent.ts";
import type { ClientEvents } from "../protocol/client-events.ts";
import { connect } from "../protocol/connect.ts";
import { classifyFailure, type Failure } from "../protocol/failure.ts";
import { within } from "../protocol/time-limit.ts";

/** Nobody is there, and no session is opened. */
const nobody: ClientEvents = {
  show: () => undefined,
  terminal: () => {},
  permission: async () => ({ outcome: { outcome: "cancelled" } }),
  rules: [],
  answeredByRule: () => {},
  login: async () => undefined,
  questions: undefined,
  hasTerminal: false,
};

/**
 * Starts an agent, and ends it when `work` is done.
 *
 * @throws {ProgramFailure} for whatever fails.
 */
export async function withAgent<Result>(
  { agent: program, framing, protocol, login }: LaunchSettings,
  startTimeout: number,
  work: (agent: Agent, signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const quit = new AbortController();
  const interrupt = (): void => quit.abort(new DOMException("Interrupted", "AbortError"));
  process.on("SIGINT", interrupt);
  let noise: string | undefined;
  let connected: Agent | undefined;
  try {
    connected = await connect(protocol, nobody, {
      ...program,
      framing,
      startTimeout,
      signal: quit.signal,
      onDiagnostic: (diagnostic) => {
        if (diagnostic.type === "noise") noise ??= diagnostic.received;
      },
    });
    if (login !== undefined) connected = await connected.logIn(login, quit.signal);
    return await within(startTimeout, "the request", work(connected, quit.signal));
  } catch (error) {
    throw toProgramFailure(classifyFailure(error, { noise, logins: connected?.logins ?? [] }), error);
  } finally {
    process.off("SIGINT", interrupt);
    await connected?.close();
  }
}

function toProgramFailure({ message, exitCode, advice, details }: Failure, cause: unknown): ProgramFailure {
  return new ProgramFailure(message, exitCode, advice, cause, details);
}
