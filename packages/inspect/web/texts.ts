import { placeIn } from "./trace.ts";

/** How many chunks stay unpacked. */
const kept = 6;

/** The messages as JSON. */
export interface Texts {
  /** The text of a message if it is at hand. */
  peek(message: number): string | undefined;
  text(message: number): Promise<string>;
  /** Reads all texts in parts; `start` is the message of the first one. */
  parts(): AsyncIterable<{ readonly start: number; readonly texts: readonly string[] }>;
}

/** Reads a compressed element of the page. */
export async function unpack(id: string): Promise<string> {
  const base64 = document.getElementById(id)?.textContent ?? "";
  const stream = new Blob([bytesOf(base64)]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).text();
}

function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  const array = Uint8Array as { readonly fromBase64?: (text: string) => Uint8Array<ArrayBuffer> };
  return array.fromBase64?.(base64) ?? Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
}

/** The texts in a file: chunks, unpacked when one of their messages is looked at. */
export class PackedTexts implements Texts {
  readonly #starts: readonly number[];
  readonly #chunks = new Map<number, Promise<readonly string[]>>();
  readonly #open = new Map<number, readonly string[]>();
  /** The chunk that was asked for last; at first none, and nobody waits for the one behind the first. */
  #last = -2;
  readonly #prefix: string;

  constructor(starts: readonly number[], prefix = "") {
    this.#starts = starts;
    this.#prefix = prefix;
  }

  peek(message: number): string | undefined {
    const chunk = placeIn(this.#starts, message);
    return this.#open.get(chunk)?.[message - (this.#starts[chunk] ?? 0)];
  }

  async text(message: number): Promise<string> {
    const chunk = placeIn(this.#starts, message);
    const texts = await this.#chunk(chunk);
    return texts[message - (this.#starts[chunk] ?? 0)] ?? "";
  }

  async *parts(): AsyncIterable<{ readonly start: number; readonly texts: readonly string[] }> {
    for (const [chunk, start] of this.#starts.entries())
      yield { start, texts: this.#open.get(chunk) ?? (await this.#unpack(chunk)) };
  }

  #chunk(chunk: number): Promise<readonly string[]> {
    // Who reads one chunk after another wants the next one, too: it is unpacked meanwhile.
    const isNext = chunk === this.#last + 1 && chunk + 1 < this.#starts.length;
    this.#last = isNext ? chunk + 1 : chunk;
    if (isNext) void this.#read(chunk + 1);
    return this.#read(chunk);
  }

  #read(chunk: number): Promise<readonly string[]> {
    const known = this.#chunks.get(chunk);
    // The last one used is the last one forgotten.
    this.#chunks.delete(chunk);
    const texts = known ?? this.#unpack(chunk);
    this.#chunks.set(chunk, texts);
    if (known === undefined) void texts.then((list) => this.#open.set(chunk, list));
    for (const oldest of this.#chunks.keys()) {
      if (this.#chunks.size <= kept) break;
      this.#chunks.delete(oldest);
      this.#open.delete(oldest);
    }
    return texts;
  }

  async #unpack(chunk: number): Promise<readonly string[]> {
    return (await unpack(`${this.#prefix}chunk-${chunk}`)).split("\n");
  }
}
