import type { RuntimeProcess } from "../runtime/runtime.ts";
import { delay, within } from "../within.ts";

/** How long to wait for a killed process to vanish. */
const killWait = 2_000;

/** How patiently a process is ended, in milliseconds. */
export interface EndOptions {
  /** After closing its stdin, before SIGTERM. */
  readonly eofGrace: number;
  /** After SIGTERM, before SIGKILL. */
  readonly termGrace: number;
  /** Settles to skip the rest of the waits for the process itself. Default: they are never skipped. */
  readonly hurried?: Promise<void> | undefined;
  /** Settles when the processes may be ended that the leader has left behind. Default: as soon as it has ended. */
  readonly seen?: Promise<void> | undefined;
}

/**
 * Ends a process and everything in its group: end of stdin, SIGTERM, SIGKILL, each only if the step before was not
 * enough. Also ends the processes that a leader has left behind.
 */
export async function endProcess(process: RuntimeProcess, options: EndOptions): Promise<void> {
  const { eofGrace, termGrace, hurried, seen } = options;
  process.noteStarted?.();
  void process.stdin?.close();
  const unlessHurried = (waited: Promise<unknown>): Promise<unknown> =>
    hurried === undefined ? waited : Promise.race([waited, hurried]);
  if (eofGrace > 0) await within(unlessHurried(process.exited), eofGrace);
  if (seen !== undefined && (await within(process.exited, 0))) await unlessHurried(seen);
  if (await isGone(process, 0)) return;
  process.signalGroup("SIGTERM");
  if (await isGone(process, termGrace)) return;
  process.signalGroup("SIGKILL");
  await isGone(process, killWait);
}

/** Whether leader and group end within `grace`. */
async function isGone(process: RuntimeProcess, grace: number): Promise<boolean> {
  // Not the wall clock, which may be set.
  const deadline = performance.now() + grace;
  if (!(await within(process.exited, grace))) return false;
  for (let pause = 5; process.isGroupAlive(); pause = Math.min(pause * 2, 100)) {
    const left = deadline - performance.now();
    if (left <= 0) return false;
    // Once its leader is gone, there is no event for the end of a group.
    await delay(Math.min(pause, left));
  }
  return true;
}
