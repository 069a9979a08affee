import { keptBytes } from "./limits.ts";

/** One more than is shown of it, which tells whether a character goes on. */
const headBytes = keptBytes + 1;

/** Counts bytes that are left out and keeps both ends of them, in constant memory. */
export class DroppedBytes {
  size = 0;
  /** The first bytes, and behind them the last ones; the more room, the less often those have to be moved. */
  readonly #ends: Uint8Array = new Uint8Array(headBytes + 2 * keptBytes);
  #used = 0;

  add(bytes: Uint8Array): void {
    this.size += bytes.length;
    for (let start = 0; start < bytes.length; start += keptBytes) {
      const part = bytes.subarray(start, start + keptBytes);
      if (this.#used + part.length > this.#ends.length) {
        this.#ends.copyWithin(headBytes, this.#used - keptBytes, this.#used);
        this.#used = headBytes + keptBytes;
      }
      this.#ends.set(part, this.#used);
      this.#used += part.length;
    }
  }

  /** What `excerptOf` needs of them: all, or at least `keptBytes + 1` of either end. */
  take(): Uint8Array {
    return this.#ends.subarray(0, this.#used);
  }
}
