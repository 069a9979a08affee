import type { LaunchSettings } from "./launch-settings.ts";
import { ProgramFailure } from "../cli/exit.ts";
import type { Agent, ListedSession } from "../protocol/agent.ts";
import { nobody } from "../protocol/client-events.ts";
import { AgentConnection } from "./agent-connection.ts";
import { classifyFailure } from "../protocol/failure.ts";
import { within } from "../protocol/time-limit.ts";

/**
 * Starts an agent, and ends it when `work` is done, or `signal` aborts.
 *
 * @throws {ProgramFailure} for whatever fails.
 */
export async function withAgent<Result>(
  settings: LaunchSettings,
  startTimeout: number,
  work: (agent: Agent, signal: AbortSignal) => Promise<Result>,
  signal: AbortSignal = new AbortController().signal,
): Promise<Result> {
  const quit = new AbortController();
  const interrupt = (): void => quit.abort(new DOMException("Interrupted", "AbortError"));
  process.on("SIGINT", interrupt);
  signal.addEventListener("abort", interrupt, { once: true });
  const connection = new AgentConnection({ ...settings, startTimeout }, { events: nobody, quit: quit.signal });
  let connected: Agent | undefined;
  try {
    connected = await connection.open();
    if (settings.login !== undefined) connected = await connected.logIn(settings.login, quit.signal);
    return await within(startTimeout, "the request", work(connected, quit.signal));
  } catch (error) {
    throw ProgramFailure.of(classifyFailure(error, connection.context(connected?.logins)), error);
  } finally {
    process.off("SIGINT", interrupt);
    await connected?.close();
  }
}

/**
 * Starts an agent, and asks it for its sessions of a directory; `quit` ends that.
 *
 * @throws {ProgramFailure} for whatever fails.
 */
export function sessionsOfAgent(
  settings: LaunchSettings,
  startTimeout: number,
  cwd: string,
  quit?: AbortSignal,
): Promise<readonly ListedSession[]> {
  const list = async (agent: Agent, signal: AbortSignal): Promise<ListedSession[]> => {
    const sessions: ListedSession[] = [];
    for await (const { sessionId, title, updatedAt } of agent.listSessions(cwd, signal))
      sessions.push({ sessionId, title: title ?? undefined, updatedAt: updatedAt ?? undefined });
    return sessions;
  };
  return withAgent(settings, startTimeout, list, quit);
}
