import type { FakeProcess } from "@acp/testing/process";

import { groupOf, isAlive } from "./is-alive.ts";

/** What is known of a client that has ended, and of its agent. */
interface Ended {
  /** The client's process, which leads a group. */
  readonly leader: number;
  /** Whether the agent ignores signals. */
  readonly ignoresSignals: boolean;
}

/**
 * Whether the process of an agent goes on although its client, which has ended in this moment, has not told it to end. A client
 * may do that in its last moment: the signal is then still on its way.
 */
export async function isLeftRunning(agent: FakeProcess, { leader, ignoresSignals }: Ended): Promise<boolean> {
  const { pid, signals } = agent;
  if (!isAlive(pid) || (!ignoresSignals && signals.length > 0)) return false;
  // What supervises the client ends the rest of its group, too: that is a signal that does not come from the client.
  const isGrouped = groupOf(pid) === leader;
  if (isGrouped) await new Promise((resolve) => setImmediate(resolve));
  if (!(await agent.settled())) return false;
  return ignoresSignals || signals.length < (isGrouped ? 2 : 1);
}
