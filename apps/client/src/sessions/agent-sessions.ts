import type { LaunchSettings } from "../agents/launch-settings.ts";
import { withAgent } from "../agents/with-agent.ts";
import type { ListedSession } from "../protocol/agent.ts";

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
  const list = async (...[agent, signal]: Parameters<Parameters<typeof withAgent>[2]>): Promise<ListedSession[]> => {
    const sessions: ListedSession[] = [];
    for await (const { sessionId, title, updatedAt } of agent.listSessions(cwd, signal))
      sessions.push({
        sessionId,
        ...(title == null ? {} : { title }),
        ...(updatedAt == null ? {} : { updatedAt }),
      });
    return sessions;
  };
  return withAgent(settings, startTimeout, list, quit);
}
