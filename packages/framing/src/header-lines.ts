import type { HeldBytes } from "./held-bytes.ts";

const LINE_FEED = 0x0a;
/** The longest header line, in bytes. */
const longestLine = 8 * 1024;
/** The longest `Content-Length` field, which is searched for at the end of longer lines. */
const longestField = 64;

/**
 * Gathers header lines in constant memory. It keeps only the end of a line above 8 KiB, since a header may follow noise without
 * a line break; the rest goes to `overflow`.
 */
export class HeaderLines {
  readonly #buffer: Uint8Array = new Uint8Array(longestLine);
  #used = 0;
  #cut = false;

  /** How many bytes of an unfinished line are held. */
  get size(): number {
    return this.#used;
  }

  /** The start of the line was cut off. */
  get isCut(): boolean {
    return this.#cut;
  }

  /** Adds `bytes` up to the first line feed, and returns how many. `isComplete` says whether the line has ended. */
  add(bytes: Uint8Array, overflow: () => HeldBytes): { readonly taken: number; readonly isComplete: boolean } {
    const end = bytes.indexOf(LINE_FEED);
    const taken = end === -1 ? bytes.length : end + 1;
    this.#append(bytes.subarray(0, taken), overflow);
    return { taken, isComplete: end !== -1 };
  }

  /** Returns the held bytes, which are valid until the next {@link add}, and starts a new line. */
  take(): Uint8Array {
    const line = this.#buffer.subarray(0, this.#used);
    this.#used = 0;
    this.#cut = false;
    return line;
  }

  #append(bytes: Uint8Array, overflow: () => HeldBytes): void {
    if (this.#used + bytes.length <= longestLine) {
      this.#buffer.set(bytes, this.#used);
      this.#used += bytes.length;
      return;
    }
    this.#cut = true;
    if (bytes.length >= longestField) {
      overflow().add(this.#buffer.subarray(0, this.#used));
      overflow().add(bytes.subarray(0, bytes.length - longestField));
      this.#used = 0;
    } else {
      const surplus = Math.max(0, this.#used - longestField);
      overflow().add(this.#buffer.subarray(0, surplus));
      this.#buffer.copyWithin(0, surplus, this.#used);
      this.#used -= surplus;
    }
    const rest = bytes.subarray(Math.max(0, bytes.length - longestField));
    this.#buffer.set(rest, this.#used);
    this.#used += rest.length;
  }
}
