import type { FakeProcess } from "@acp/testing/process";

import { isAlive } from "./is-alive.ts";

/**
 * Whether the process of an agent goes on although its client, which has just ended, has not told it to end. A client may do that in
 * its last moment: the signal is then still on its way.
 */
export async function isLeftRunning({ pid, signals, settled }: FakeProcess, ignoresSignals: boolean): Promise<boolean> {
  const isTold = (): boolean => !ignoresSignals && signals.length > 0;
  if (!isAlive(pid) || isTold()) return false;
  return (await settled()) && !isTold();
}
