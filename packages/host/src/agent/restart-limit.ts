import { UsageError } from "@acp/core";
import { timeLimit } from "../within.ts";

/** How often and how soon to restart an agent. */
export interface RestartOptions {
  /** The maximum number of restarts in the time `within`. Default: 5. `0` means no restarts. */
  readonly limit?: number | undefined;
  /**
   * How long a restart counts towards `limit`, in milliseconds. Default: 600,000 (ten minutes). `Infinity` means
   * forever.
   */
  readonly within?: number | undefined;
  /** The delay before the first restart, in milliseconds. It doubles with each restart that counts. Default: 500. */
  readonly delay?: number | undefined;
  /** The maximum delay, in milliseconds. Default: 30,000. */
  readonly maxDelay?: number | undefined;
}

/** Counts the restarts of an agent. */
export class RestartLimit {
  readonly limit: number;
  readonly within: number;
  readonly #delay: number;
  readonly #maxDelay: number;
  #times: number[] = [];

  /** @throws {UsageError} for a number that is not a valid limit. */
  constructor({ limit = 5, within = 600_000, delay = 500, maxDelay = 30_000 }: RestartOptions) {
    if (!(typeof limit === "number" && limit >= 0)) {
      throw new UsageError(`restarts.limit is ${String(limit)}; expected a number from 0 on`);
    }
    this.limit = limit;
    this.within = timeLimit("restarts.within", within);
    this.#delay = timeLimit("restarts.delay", delay);
    this.#maxDelay = timeLimit("restarts.maxDelay", maxDelay);
  }

  /** Counts a restart at `now`, and returns how long it has to wait; `undefined` if there were too many. */
  next(now: number): number | undefined {
    this.#times = this.#times.filter((time) => now - time < this.within);
    if (this.#times.length >= this.limit) return undefined;
    const wait = Math.min(this.#delay * 2 ** this.#times.length, this.#maxDelay);
    this.#times.push(now);
    return wait;
  }
}
