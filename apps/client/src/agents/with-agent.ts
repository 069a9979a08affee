import type { LaunchSettings } from "./launch-settings.ts";
import { ProgramFailure } from "../cli/exit.ts";
import type { Agent } from "../protocol/agent.ts";
import type { ClientEvents } from "../protocol/client-events.ts";
import { AgentConnection } from "./agent-connection.ts";
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
  settings: LaunchSettings,
  startTimeout: number,
  work: (agent: Agent, signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const quit = new AbortController();
  const interrupt = (): void => quit.abort(new DOMException("Interrupted", "AbortError"));
  process.on("SIGINT", interrupt);
  const connection = new AgentConnection({ ...settings, startTimeout }, { events: nobody, quit: quit.signal });
  let connected: Agent | undefined;
  try {
    connected = await connection.open();
    if (settings.login !== undefined) connected = await connected.logIn(settings.login, quit.signal);
    return await within(startTimeout, "the request", work(connected, quit.signal));
  } catch (error) {
    throw toProgramFailure(classifyFailure(error, connection.context(connected?.logins)), error);
  } finally {
    process.off("SIGINT", interrupt);
    await connected?.close();
  }
}

function toProgramFailure({ message, exitCode, advice, details }: Failure, cause: unknown): ProgramFailure {
  return new ProgramFailure(message, exitCode, advice, cause, details);
}
