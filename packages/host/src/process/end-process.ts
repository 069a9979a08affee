import type { RuntimeProcess } from "../runtime/runtime.ts";
import { delay, within } from "../within.ts";

/** How long a killed process may take to vanish before nobody waits for it any more. */
const killWait = 2_000;

/** How patiently a process is ended. All in milliseconds. */
export interface EndOptions {
  /** After closing its stdin, before SIGTERM. */
  readonly eofGrace: number;
  /** After SIGTERM, before SIGKILL. */
  readonly termGrace: number;
  /** Cuts the wait behind the end of its stdin short when it settles. Default: nothing does. */
  readonly hurried?: Promise<void> | undefined;
}

/**
 * Ends a process and everything in its group: end of stdin, SIGTERM, SIGKILL, each only if what came
 * before was not enough. Also ends what a leader has left behind.
 */
export async function endProcess(process: RuntimeProcess, options: EndOptions): Promise<void> {
  const { eofGrace, termGrace, hurried } = options;
  void process.stdin?.close();
  const waitsFor = hurried === undefined ? process.exited : Promise.race([process.exited, hurried]);
  if (eofGrace > 0) await within(waitsFor, eofGrace);
  if (await isGone(process, 0)) return;
  process.signalGroup("SIGTERM");
  if (await isGone(process, termGrace)) return;
  process.signalGroup("SIGKILL");
  await isGone(process, killWait);
}

/** Whether leader and group are gone, or become so within `grace`. */
async function isGone(process: RuntimeProcess, grace: number): Promise<boolean> {
  // Not by the clock of the wall, which may be set.
  const deadline = performance.now() + grace;
  if (!(await within(process.exited, grace))) return false;
  for (let pause = 5; process.isGroupAlive(); pause = Math.min(pause * 2, 100)) {
    const left = deadline - performance.now();
    if (left <= 0) return false;
    // The group offers nothing to wait on once its leader is gone.
    await delay(Math.min(pause, left));
  }
  return true;
}
