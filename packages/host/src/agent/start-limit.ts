import type { TimeoutError } from "@acp/core";

/** How late a timer has to fire to show that the process was suspended, in milliseconds. */
const tooLate = 1_000;

/** The time limit of a start. */
export interface StartLimit {
  /** Aborts when the time has run out, or the caller cancels. */
  readonly signal: AbortSignal;
  /** Rejects with the same reason. */
  readonly exceeded: Promise<never>;
  end(): void;
}

/** Limits a start from now on; `milliseconds` may be `Infinity`. */
export function limitStart(
  milliseconds: number,
  caller: AbortSignal | undefined,
  onTimeout: () => TimeoutError,
): StartLimit {
  const controller = new AbortController();
  const { signal } = controller;
  const exceeded = new Promise<never>((_, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
  exceeded.catch(() => {});
  const abort = (): void => controller.abort(caller?.reason);
  caller?.addEventListener("abort", abort, { once: true });
  let timer: ReturnType<typeof setTimeout> | undefined;
  const begin = (): void => {
    const due = Date.now() + milliseconds;
    // After a suspension, messages of the agent may wait to be read, so the time starts over.
    timer = setTimeout(() => (Date.now() - due > tooLate ? begin() : controller.abort(onTimeout())), milliseconds);
  };
  if (milliseconds !== Infinity) begin();
  const end = (): void => {
    clearTimeout(timer);
    caller?.removeEventListener("abort", abort);
  };
  return { signal, exceeded, end };
}
