import type { Entry } from "../journal/entry.ts";
import type { Claim, Journal } from "../journal/journal.ts";
import { placeOf } from "../journal/place.ts";
import { compactEntries, historyStep } from "./compact-session.ts";

/** What a compactor needs of its keeper. */
export interface CompactorParts {
  readonly journal: Journal;
  readonly claim: Claim;
  /** A session is compacted once it has so many new entries. */
  readonly threshold: number;
  /** How much is kept of a session, in UTF-16 code units: then its oldest turns are removed. */
  readonly historyUnits: number;
  onFailure(error: unknown): void;
}

/**
 * Keeps the journal of a session short: of turns that have ended, and are not the last, what shows the same remains. The oldest of
 * them are removed when that is too much.
 */
export class Compactor {
  readonly #parts: CompactorParts;
  /** What is not compacted: entries, and UTF-16 code units of their texts. */
  #count = 0;
  #units = 0;
  #isRunning = false;

  constructor(parts: CompactorParts) {
    this.#parts = parts;
  }

  /** An entry was there before. */
  recall(text: string): void {
    if (placeOf(text).epoch > 0) this.#add(text.length);
  }

  /** An entry was stored, whose text is so long. */
  note(entry: Entry, units: number): void {
    this.#add(units);
    const { threshold, historyUnits } = this.#parts;
    const isMuch = this.#count >= threshold || this.#units >= historyStep * historyUnits;
    const isEnd = entry.t === "state" && entry.state.state === "idle";
    if (!isEnd || !isMuch || this.#isRunning) return;
    [this.#count, this.#units] = [0, 0];
    this.#isRunning = true;
    compactEntries(this.#parts.journal, this.#parts.claim, historyUnits)
      .catch((error: unknown) => this.#parts.onFailure(error))
      .finally(() => {
        this.#isRunning = false;
      });
  }

  #add(units: number): void {
    this.#count += 1;
    this.#units += units;
  }
}
