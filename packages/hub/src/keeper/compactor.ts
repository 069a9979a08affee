import type { Entry } from "../journal/entry.ts";
import type { Claim, Journal } from "../journal/journal.ts";
import { compactEntries } from "./compact-session.ts";

/** What a compactor needs of its keeper. */
export interface CompactorParts {
  readonly journal: Journal;
  readonly claim: Claim;
  /** A session is compacted once it has so many new entries. */
  readonly threshold: number;
  onFailure(error: unknown): void;
}

/** Keeps the journal of a session short: of turns that have ended, and are not the last, what shows the same remains. */
export class Compactor {
  readonly #parts: CompactorParts;
  #count = 0;
  #isRunning = false;

  constructor(parts: CompactorParts) {
    this.#parts = parts;
  }

  /** An entry was stored. */
  note(entry: Entry): void {
    this.#count += 1;
    const isEnd = entry.t === "state" && entry.state.state === "idle";
    if (!isEnd || this.#count < this.#parts.threshold || this.#isRunning) return;
    this.#count = 0;
    this.#isRunning = true;
    compactEntries(this.#parts.journal, this.#parts.claim)
      .catch((error: unknown) => this.#parts.onFailure(error))
      .finally(() => {
        this.#isRunning = false;
      });
  }
}
