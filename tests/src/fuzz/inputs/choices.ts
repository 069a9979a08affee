/** Reads an input as decisions: structured inputs are made of these, so that every input is one. */
export class Choices {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  /** Whether there are bytes left; without any, every choice is the first one. */
  get left(): boolean {
    return this.#at < this.#bytes.length;
  }

  /** A number from 0 up to `limit`, without it: at most 256. */
  below(limit: number): number {
    const byte = this.#bytes[this.#at] ?? 0;
    this.#at += 1;
    return byte % limit;
  }

  pick<T>(list: readonly T[]): T {
    return list[this.below(list.length)]!;
  }

  /** The next bytes as text, up to this many. */
  text(most: number): string {
    const length = this.below(most + 1);
    const bytes = this.#bytes.subarray(this.#at, this.#at + length);
    this.#at += length;
    return new TextDecoder().decode(bytes);
  }
}
