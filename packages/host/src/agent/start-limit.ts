import type { TimeoutError } from "@acp/core";

/** How late a timer fires at least whose process has stood still, in milliseconds. */
const tooLate = 1_000;

/** How long a start may take. */
export interface StartLimit {
  /** Aborts when the time has run out, or the caller gives up. */
  readonly signal: AbortSignal;
  /** Rejects with the same reason. */
  readonly exceeded: Promise<never>;
  end(): void;
}

/** Limits a start from now on; `milliseconds` may be `Infinity`. */
export function limitStart(
  milliseconds: number,
  caller: AbortSignal | undefined,
  timedOut: () => TimeoutError,
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
    // One that fires far too late begins anew: this process has stood still, and has not read yet what has come meanwhile.
    timer = setTimeout(() => (Date.now() - due > tooLate ? begin() : controller.abort(timedOut())), milliseconds);
  };
  if (milliseconds !== Infinity) begin();
  const end = (): void => {
    clearTimeout(timer);
    caller?.removeEventListener("abort", abort);
  };
  return { signal, exceeded, end };
}
