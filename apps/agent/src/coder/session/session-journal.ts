import type { SessionChange, SessionSummary, StoredSession } from "@acp/sessions";

import { describeError } from "../../describe-error.ts";
import type { SessionRecord } from "./session-record.ts";

/**
 * The journal of a session. When it cannot be written, because the disk is full for example, the session goes on: it is worth
 * more than its history. The user is told, once.
 */
export class SessionJournal implements StoredSession<SessionRecord> {
  readonly #stored: StoredSession<SessionRecord>;
  #problem: string | undefined;
  #isTold = false;

  constructor(stored: StoredSession<SessionRecord>) {
    this.#stored = stored;
  }

  get summary(): SessionSummary {
    return this.#stored.summary;
  }

  entries(): AsyncIterable<SessionRecord> {
    return this.#stored.entries();
  }

  append(record: SessionRecord): Promise<void> {
    return this.#attempt(this.#stored.append(record));
  }

  change(change: SessionChange): Promise<void> {
    return this.#attempt(this.#stored.change(change));
  }

  close(): Promise<void> {
    return this.#attempt(this.#stored.close());
  }

  /** What to tell the user, if there is something new. */
  takeProblem(): string | undefined {
    if (this.#isTold || this.#problem === undefined) return undefined;
    this.#isTold = true;
    return this.#problem;
  }

  async #attempt(change: Promise<void>): Promise<void> {
    try {
      await change;
    } catch (error) {
      this.#problem ??= `This session is no longer saved. ${describeError(error)}`;
    }
  }
}
