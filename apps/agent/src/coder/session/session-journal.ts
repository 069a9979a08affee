import type { SessionChange, SessionSummary, StoredSession } from "@acp/sessions";

import { describeError } from "../../describe-error.ts";
import type { SessionRecord } from "./session-record.ts";

/** What a journal shares with the store that it is of. */
export interface JournalPlace {
  /** What could not be written yet, in order. It stays when the session is closed and opened again. */
  readonly unsaved: SessionRecord[];
  /** What the user is to be told, until they are. */
  readonly problems: string[];
  /** Gets what could not be written, once. */
  report(reason: string): void;
}

/**
 * The journal of a session. When it cannot be written, because the disk is full for example, the session goes on in memory: it is
 * worth more than its history. What is missing is written as soon as that is possible again.
 */
export class SessionJournal implements StoredSession<SessionRecord> {
  readonly #stored: StoredSession<SessionRecord>;
  readonly #place: JournalPlace;
  #turn: Promise<unknown> = Promise.resolve();
  #writing: Promise<void> = Promise.resolve();

  constructor(stored: StoredSession<SessionRecord>, place: JournalPlace) {
    this.#stored = stored;
    this.#place = place;
  }

  get summary(): SessionSummary {
    return this.#stored.summary;
  }

  async *entries(): AsyncGenerator<SessionRecord> {
    await this.#writing;
    yield* this.#stored.entries();
    yield* this.#place.unsaved.slice();
  }

  /** Never rejects. */
  append(record: SessionRecord): Promise<void> {
    const { unsaved } = this.#place;
    if (unsaved.length === 0) {
      // At once: what is shown next has to be behind it.
      const writing = this.#stored.append(record).catch((error: unknown) => {
        unsaved.push(copy(record));
        this.#place.report(describeError(error));
      });
      this.#writing = Promise.all([this.#writing, writing]).then(() => {});
      return writing;
    }
    unsaved.push(copy(record));
    this.#writing = this.#writing.then(() => this.#saveRest());
    return this.#writing;
  }

  async change(change: SessionChange): Promise<void> {
    await this.#stored.change(change).catch((error: unknown) => this.#place.report(describeError(error)));
  }

  async close(): Promise<void> {
    await this.#writing;
    await this.#stored.close().catch((error: unknown) => this.#place.report(describeError(error)));
  }

  /** What to tell the user, each once. */
  takeProblems(): readonly string[] {
    return this.#place.problems.splice(0);
  }

  /** Runs a turn. Whoever opens the session again waits for its end. */
  run<T>(turn: () => Promise<T>): Promise<T> {
    const running = turn();
    this.#turn = Promise.allSettled([this.#turn, running]);
    return running;
  }

  /** Resolves when no turn runs. */
  async idle(): Promise<void> {
    await this.#turn;
  }

  async #saveRest(): Promise<void> {
    const { unsaved } = this.#place;
    while (unsaved[0] !== undefined) {
      try {
        await this.#stored.append(unsaved[0]);
        unsaved.shift();
      } catch {
        return;
      }
    }
  }
}

/** The agent may change what it is made of. */
function copy(record: SessionRecord): SessionRecord {
  return structuredClone(record);
}
