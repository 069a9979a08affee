import { UsageError } from "@acp/core";

import { timeLimit } from "../time-limit.ts";

/** How often, and how soon, an agent is started again. */
export interface RestartOptions {
  /** How many restarts there may be `within` a time. Default: 5. `0`: none. */
  readonly limit?: number | undefined;
  /** The time in which restarts count, in milliseconds. Default: 600,000, ten minutes. `Infinity`: they count for ever. */
  readonly within?: number | undefined;
  /** The wait before the first restart, in milliseconds. It doubles with each that counts. Default: 500. */
  readonly delay?: number | undefined;
  /** The longest wait, in milliseconds. Default: 30,000. */
  readonly maxDelay?: number | undefined;
}

/** Counts the restarts of an agent. */
export class RestartLimit {
  readonly limit: number;
  readonly within: number;
  readonly #delay: number;
  readonly #maxDelay: number;
  #times: number[] = [];

  /** @throws {UsageError} for a number that is no limit. */
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
