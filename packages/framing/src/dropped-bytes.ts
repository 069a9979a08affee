import { keptBytes } from "./limits.ts";
import { decodeUtf8Leniently, wholeCharactersEnd, wholeCharactersStart } from "./utf8.ts";

/** What an issue shows of a message that is left out. */
export interface Excerpt {
  readonly bytes: number;
  readonly head: string;
  readonly tail?: string;
}

/** Counts bytes that are left out and keeps both ends of them, in constant memory. */
export class DroppedBytes {
  size = 0;
  readonly #head: Uint8Array = new Uint8Array(keptBytes);
  /** Twice as long as what is shown of it, so that it has to be moved to the front only now and then. */
  #tail: Uint8Array | undefined;
  #tailUsed = 0;

  add(bytes: Uint8Array): void {
    const toHead = bytes.subarray(0, Math.max(0, keptBytes - this.size));
    if (toHead.length > 0) this.#head.set(toHead, this.size);
    this.size += bytes.length;
    this.#addToTail(bytes.subarray(toHead.length));
  }

  /** Takes back the last byte if it is a carriage return: it belonged to the line's end. */
  dropCarriageReturn(): void {
    const last = this.#tailUsed > 0 ? this.#tail?.[this.#tailUsed - 1] : this.#head[this.size - 1];
    if (this.size === 0 || last !== 0x0d) return;
    this.size--;
    if (this.#tailUsed > 0) this.#tailUsed--;
  }

  excerpt(): Excerpt {
    const head = this.#head.subarray(0, Math.min(this.size, keptBytes));
    const tail = this.#tail?.subarray(Math.max(0, this.#tailUsed - keptBytes), this.#tailUsed);
    if (tail === undefined || tail.length === 0) return { bytes: this.size, head: decodeUtf8Leniently(head) };
    const headEnd = wholeCharactersEnd(head);
    const cut = head.subarray(headEnd);
    // Nothing is missing in between: a character that the cut goes through belongs to the tail.
    const isWhole = this.size === keptBytes + tail.length && cut.length + tail.length <= keptBytes;
    return {
      bytes: this.size,
      head: decodeUtf8Leniently(head.subarray(0, headEnd)),
      tail: decodeUtf8Leniently(isWhole ? join(cut, tail) : tail.subarray(wholeCharactersStart(tail))),
    };
  }

  #addToTail(bytes: Uint8Array): void {
    if (bytes.length === 0) return;
    this.#tail ??= new Uint8Array(2 * keptBytes);
    const last = bytes.subarray(Math.max(0, bytes.length - keptBytes));
    if (this.#tailUsed + last.length > this.#tail.length) {
      const start = Math.max(0, this.#tailUsed - keptBytes);
      this.#tail.copyWithin(0, start, this.#tailUsed);
      this.#tailUsed -= start;
    }
    this.#tail.set(last, this.#tailUsed);
    this.#tailUsed += last.length;
  }
}

function join(first: Uint8Array, second: Uint8Array): Uint8Array {
  const joined = new Uint8Array(first.length + second.length);
  joined.set(first);
  joined.set(second, first.length);
  return joined;
}
