import { RequestError } from "@acp/core";

import type { AnswerExtension } from "../extensions.ts";
import type { Keepers, KeeperStart, RunningKeeper } from "../keeper/keepers.ts";

/** What it takes to use keepers. */
export interface SessionKeepersParts {
  readonly keepers: Keepers;
  /** How many sessions may have an agent. */
  readonly maxLive: number;
  /** A keeper has stored entries. */
  onStored(session: string): void;
  /** This front reaches a keeper. */
  onFound(session: string, keeper: RunningKeeper): void;
  /** The agent of a session has a request of an extension for a client. */
  answer(session: string, ...request: Parameters<AnswerExtension>): Promise<unknown>;
  /** A keeper is gone, in order or not. */
  onEnd(session: string): void;
}

type Held = Promise<RunningKeeper | undefined>;

/** The keepers that a front reaches, one for each session, and how many clients of the front each has. */
export class SessionKeepers {
  readonly #parts: SessionKeepersParts;
  readonly #held = new Map<string, Held>();
  readonly #attached = new Map<string, number>();

  constructor(parts: SessionKeepersParts) {
    this.#parts = parts;
  }

  has(session: string): boolean {
    return this.#held.has(session);
  }

  /** The keeper, if this front reaches it already. */
  async get(session: string): Promise<RunningKeeper | undefined> {
    return await this.#held.get(session)?.catch(() => undefined);
  }

  /** The keeper, which an earlier front may have started. */
  async find(session: string): Promise<RunningKeeper | undefined> {
    const running = await this.get(session);
    if (running !== undefined) return running;
    return await (this.#held.get(session) ??
      this.#hold(
        session,
        this.#parts.keepers.find(session, () => this.#parts.onStored(session)),
      ));
  }

  /** The keeper; it is started if there is none. `undefined` if another front's keeper has the session. */
  async start(start: KeeperStart): Promise<RunningKeeper | undefined> {
    const { session } = start;
    const { keepers, maxLive, onStored } = this.#parts;
    // One that is looked for may not be there.
    const running = await this.get(session);
    if (running !== undefined) return running;
    const begun = this.#held.get(session);
    if (begun !== undefined) return await begun;
    if (this.#held.size >= maxLive)
      throw RequestError.internalError(`${this.#held.size} sessions have an agent, which is all that may (sessions)`);
    return await this.#hold(
      session,
      keepers.start(start, () => onStored(session)),
    );
  }

  wake(session: string): void {
    void this.get(session).then((keeper) => keeper?.wake());
  }

  /** Tells how many clients of this front are attached. */
  setAttached(session: string, count: number): void {
    if (count === 0) this.#attached.delete(session);
    else this.#attached.set(session, count);
    void this.get(session).then((keeper) => keeper?.setAttached(this.#attached.get(session) ?? 0));
  }

  async close(): Promise<void> {
    await this.#parts.keepers.close();
  }

  /** Remembers a keeper as long as it runs. */
  #hold(session: string, starting: Held): Held {
    this.#held.set(session, starting);
    const forget = (): void => {
      if (this.#held.get(session) === starting) this.#held.delete(session);
    };
    starting.then((keeper) => {
      if (keeper === undefined) return forget();
      keeper.setAttached(this.#attached.get(session) ?? 0);
      keeper.onRequest((...request) => this.#parts.answer(session, ...request));
      this.#parts.onFound(session, keeper);
      void keeper.closed.then(() => {
        forget();
        this.#parts.onEnd(session);
      });
    }, forget);
    return starting;
  }
}
