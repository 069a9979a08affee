/** A limit for timers that are held, in milliseconds: nothing in a scenario takes that long. */
export const aDay = 86_400_000;

/** Shorter ones run as ever. */
const anHour = 3_600_000;

/**
 * Holds timers of an hour and more while `run` runs: they fire when it calls `pass`, however fast the machine is. Those that
 * are started meanwhile wait for the next call.
 */
export async function holdLongTimers(run: (pass: () => void) => Promise<void>): Promise<void> {
  const { setTimeout: start, clearTimeout: stop } = globalThis;
  const held = new Map<ReturnType<typeof setTimeout> | undefined, () => void>();
  const replace = (name: string, value: unknown): void => {
    Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
  };
  replace("setTimeout", (fire: (...args: unknown[]) => void, milliseconds = 0, ...args: unknown[]) => {
    const timer = start(fire, milliseconds, ...args);
    if (milliseconds >= anHour) held.set(timer, () => fire(...args));
    return timer;
  });
  replace("clearTimeout", (timer: ReturnType<typeof setTimeout> | undefined) => {
    held.delete(timer);
    stop(timer);
  });
  const pass = (): void => {
    const due = [...held.values()];
    for (const timer of held.keys()) clearTimeout(timer);
    for (const fire of due) fire();
  };
  try {
    await run(pass);
  } finally {
    replace("setTimeout", start);
    replace("clearTimeout", stop);
  }
}
