import { ConnectionClosedError } from "@acp/core";

import { withSignals } from "../unless-aborted.ts";

/** The pending logins of an agent. They end when it is closed, and go on if its process has died. */
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

  /** The agent is closed. Settles when none of them runs any more. */
  async end(): Promise<void> {
    this.#closing.abort(new ConnectionClosedError("The agent was closed"));
    await Promise.allSettled(this.#running);
  }
}
