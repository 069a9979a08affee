import type { HeldBytes } from "./held-bytes.ts";

const LINE_FEED = 0x0a;
/** The most one header line may take, in bytes. */
const longestLine = 8 * 1024;
/** The most a `Content-Length` field takes, which is searched for at the end of longer lines. */
const longestField = 64;

/**
 * Gathers lines of a header in constant memory. Of a line that is longer than 8 KiB only the end is
 * kept, since a header may follow noise without a line break; the rest goes to `overflow`.
 */
export class HeaderLines {
  readonly #buffer: Uint8Array = new Uint8Array(longestLine);
  #used = 0;
  #cut = false;

  /** How many bytes of an unfinished line are held. */
  get size(): number {
    return this.#used;
  }

  /** The beginning of the line was cut off. */
  get isCut(): boolean {
    return this.#cut;
  }

  /**
   * Takes bytes up to and with the first line feed of `bytes`. Returns how many they were, and in
   * `isComplete` whether the line is whole.
   */
  add(bytes: Uint8Array, overflow: () => HeldBytes): { readonly taken: number; readonly isComplete: boolean } {
    const end = bytes.indexOf(LINE_FEED);
    const taken = end === -1 ? bytes.length : end + 1;
    this.#append(bytes.subarray(0, taken), overflow);
    return { taken, isComplete: end !== -1 };
  }

  /** The held bytes; valid until the next {@link add}. Begins a new line. */
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
