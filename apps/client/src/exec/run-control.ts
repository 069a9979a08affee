import { constants } from "node:os";

import { unlessAborted } from "../protocol/time-limit.ts";
import { turnGrace } from "../protocol/turn-limit.ts";
import type { Streams } from "../cli/streams.ts";
import { ExitCode } from "../cli/exit.ts";

/** Why a run is ended before its time. */
export type StopCause = "interrupt" | "timeout" | "closed" | (typeof endings)[number];

const endings = ["SIGTERM", "SIGHUP"] as const;

/**
 * What ends a run: Ctrl-C, a signal, `--timeout`, or a reader of stdout that has gone. The first stop cancels the turn, and
 * ends the agent when the turn has ended; the second ends the agent, the third at once.
 */
export class RunControl {
  /** Why the run is ended; `undefined` while it goes on. */
  cause: StopCause | undefined;
  readonly #quit = new AbortController();
  readonly #kill = new AbortController();
  readonly #undo: (() => void)[] = [];
  #cancel: (() => void) | undefined;
  #grace: ReturnType<typeof setTimeout> | undefined;

  constructor({ onOutputClosed }: Streams, timeout: number | undefined) {
    const interrupt = (): void => this.stop("interrupt");
    this.#listen("SIGINT", interrupt);
    for (const signal of endings) this.#listen(signal, () => this.stop(signal));
    onOutputClosed?.(() => this.stop("closed"));
    if (timeout === undefined) return;
    const timer = setTimeout(() => this.stop("timeout"), timeout);
    this.#undo.push(() => clearTimeout(timer));
  }

  get quit(): AbortSignal {
    return this.#quit.signal;
  }

  /** Aborts when the agent is to be ended at once. */
  get kill(): AbortSignal {
    return this.#kill.signal;
  }

  get exitCode(): number | undefined {
    switch (this.cause) {
      case undefined:
        return undefined;
      case "interrupt":
        return ExitCode.cancelled;
      case "timeout":
        return ExitCode.timeout;
      case "SIGTERM":
      case "SIGHUP":
        return 128 + constants.signals[this.cause];
      default:
        return ExitCode.failure;
    }
  }

  /** A turn runs until the returned function is called. */
  beginTurn(cancel: () => void): () => void {
    this.#cancel = cancel;
    return () => {
      this.#cancel = undefined;
      clearTimeout(this.#grace);
    };
  }

  stop(cause: StopCause): void {
    if (this.#quit.signal.aborted) return this.#kill.abort();
    const isFirst = this.cause === undefined;
    this.cause ??= cause;
    if (!isFirst || this.#cancel === undefined) return this.#end();
    this.#cancel();
    // Nobody would read how the turn ends.
    if (cause === "closed") return this.#end();
    this.#grace = setTimeout(() => this.#end(), turnGrace);
  }

  /** Waits for a promise, but rejects when the agent is to be ended. */
  unlessQuit<Result>(promise: Promise<Result>): Promise<Result> {
    return unlessAborted(promise, this.quit);
  }

  /** The run has ended: signals do what they did before. */
  close(): void {
    clearTimeout(this.#grace);
    for (const undo of this.#undo) undo();
  }

  #end(): void {
    clearTimeout(this.#grace);
    this.#quit.abort(new DOMException("The run is ended", "AbortError"));
  }

  #listen(signal: NodeJS.Signals, listener: () => void): void {
    process.on(signal, listener);
    this.#undo.push(() => process.off(signal, listener));
  }
}
