import { compactionEnd, compactTexts } from "../journal/compact.ts";
import { decodeEntry, type Entry } from "../journal/entry.ts";
import type { Claim, Journal } from "../journal/journal.ts";
import { placeOf } from "../journal/place.ts";

/** What a compactor needs of its keeper. */
export interface CompactorParts {
  readonly journal: Journal;
  readonly claim: Claim;
  /** A session is compacted once it has so many new entries. */
  readonly threshold: number;
  onFailure(error: unknown): void;
}

/** Reading entries, this many UTF-16 code units at a time. */
const pageUnits = 4 * 1024 * 1024;

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
    this.#compact()
      .catch((error: unknown) => this.#parts.onFailure(error))
      .finally(() => {
        this.#isRunning = false;
      });
  }

  async #compact(): Promise<void> {
    const { journal, claim } = this.#parts;
    const texts = await this.#readAll();
    const end = compactionEnd(texts.map(decodeEntry).filter((entry) => entry !== undefined));
    if (end === 0) return;
    await journal.compact(claim, end, compactTexts(texts.filter((text) => placeOf(text).n <= end)));
  }

  async #readAll(): Promise<readonly string[]> {
    const { journal, claim } = this.#parts;
    const texts: string[] = [];
    let after: Parameters<Journal["read"]>[1] = "start";
    for (let more = true; more;) {
      const page = await journal.read(claim.session, after, pageUnits);
      if (page === undefined || page === "gone") return [];
      texts.push(...page.entries);
      after = page.cursor ?? after;
      more = page.more;
    }
    return texts;
  }
}
