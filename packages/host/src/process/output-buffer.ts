const decoder = /* @__PURE__ */ new TextDecoder("utf-8", { ignoreBOM: true });
const encoder = /* @__PURE__ */ new TextEncoder();

/**
 * Keeps the last bytes of an output, at most `limit` of them, and returns them as text that starts at a character
 * (TERM-06, TERM-07). Memory stays within the limit; the cost is linear in the bytes pushed.
 */
export class OutputBuffer {
  readonly #limit: number;
  #ring: Uint8Array<ArrayBuffer> = new Uint8Array(0);
  /** The index of the oldest byte. */
  #start = 0;
  #length = 0;
  #truncated = false;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Whether bytes were dropped. */
  get truncated(): boolean {
    return this.#truncated;
  }

  /** Adds bytes; keeps no reference to `chunk`. */
  push(chunk: Uint8Array): void {
    if (this.#length + chunk.length > this.#limit) this.#truncated = true;
    const kept = chunk.length > this.#limit ? chunk.subarray(chunk.length - this.#limit) : chunk;
    if (kept.length === 0) return;
    this.#reserve(Math.min(this.#limit, this.#length + kept.length));

    const capacity = this.#ring.length;
    const excess = Math.max(0, this.#length + kept.length - capacity);
    this.#start = (this.#start + excess) % capacity;
    this.#length -= excess;

    const end = (this.#start + this.#length) % capacity;
    const first = Math.min(kept.length, capacity - end);
    this.#ring.set(kept.subarray(0, first), end);
    this.#ring.set(kept.subarray(first), 0);
    this.#length += kept.length;
  }

  /**
   * Decodes the kept bytes. Leaves out a character that is cut off at the end, unless the output is `complete`; bytes
   * that are not UTF-8 become U+FFFD.
   */
  text(complete: boolean): string {
    const bytes = this.#bytes();
    const from = this.#truncated ? firstCharacter(bytes) : 0;
    const to = complete ? bytes.length : lastCharacterEnd(bytes);
    const text = decoder.decode(bytes.subarray(from, to));
    // U+FFFD takes more bytes than those it replaces, so the limit is applied once more.
    return text.includes("\uFFFD") ? this.#fit(text) : text;
  }

  #fit(text: string): string {
    const bytes = encoder.encode(text);
    if (bytes.length <= this.#limit) return text;
    this.#truncated = true;
    const tail = bytes.subarray(bytes.length - this.#limit);
    return decoder.decode(tail.subarray(firstCharacter(tail)));
  }

  #bytes(): Uint8Array {
    const end = this.#start + this.#length;
    if (end <= this.#ring.length) return this.#ring.subarray(this.#start, end);
    const bytes = new Uint8Array(this.#length);
    const first = this.#ring.subarray(this.#start);
    bytes.set(first, 0);
    bytes.set(this.#ring.subarray(0, this.#length - first.length), first.length);
    return bytes;
  }

  #reserve(size: number): void {
    if (size <= this.#ring.length) return;
    const grown = new Uint8Array(Math.min(this.#limit, Math.max(size, this.#ring.length * 2, 1024)));
    grown.set(this.#bytes(), 0);
    this.#ring = grown;
    this.#start = 0;
  }
}

/** Finds the first byte that can start a character: a cut leaves at most three that cannot. */
function firstCharacter(bytes: Uint8Array): number {
  let index = 0;
  while (index < 3 && isContinuation(bytes[index])) index += 1;
  return index;
}

/** Finds the end of the last whole character: up to three bytes may belong to an incomplete one. */
function lastCharacterEnd(bytes: Uint8Array): number {
  let lead = bytes.length - 1;
  while (lead >= 0 && lead > bytes.length - 4 && isContinuation(bytes[lead])) lead -= 1;
  const byte = bytes[lead];
  if (byte === undefined) return bytes.length;
  const size = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc2 ? 2 : 1;
  return size > bytes.length - lead && byte < 0xf5 ? lead : bytes.length;
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}
