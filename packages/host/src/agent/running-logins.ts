import { ConnectionClosedError } from "@acp/core";

import { withSignals } from "../unless-aborted.ts";

/** The pending logins of an agent. Closing the agent cancels them; the death of its process does not. */
export class RunningLogins {
  readonly #closing = new AbortController();
  readonly #running = new Set<Promise<unknown>>();

  /** Runs a login with a signal that aborts when `caller` does, or the agent is closed. */
  async run<Result>(caller: AbortSignal | undefined, login: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
    const running = withSignals([caller, this.#closing.signal], login);
    this.#running.add(running);
    try {
      return await running;
    } finally {
      this.#running.delete(running);
    }
  }

  /** Cancels all logins because the agent is closed. Resolves when all of them have ended. */
  async end(): Promise<void> {
    this.#closing.abort(new ConnectionClosedError("The agent was closed"));
    await Promise.allSettled(this.#running);
  }
}
