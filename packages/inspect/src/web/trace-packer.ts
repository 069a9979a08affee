import { promisify } from "node:util";
import { gzip } from "node:zlib";

import { TraceColumns } from "./trace-columns.ts";
import type { TraceEntry, TraceIndex } from "./trace-index.ts";
import { viewerWith } from "./viewer.ts";

/** A chunk is unpacked as a whole when one of its messages is looked at. */
const chunkMessages = 5_000;
/** Messages are large at times: then a chunk has fewer, in UTF-16 code units. */
const chunkUnits = 8_000_000;

/** What a page says of its trace. */
type AboutTrace = Pick<TraceIndex, "title" | "withSecrets" | "withoutText" | "comparison">;

/** Collects messages, and makes a page of them. */
export class TracePacker {
  readonly #columns = new TraceColumns();
  readonly #packed: Promise<string>[] = [];
  readonly #chunks: number[] = [];
  #lines: string[] = [];
  #units = 0;

  get count(): number {
    return this.#columns.count;
  }

  add({ entry, text }: { readonly entry: TraceEntry; readonly text: string }): void {
    if (this.#lines.length >= chunkMessages || (this.#units > 0 && this.#units + text.length > chunkUnits))
      this.#pack();
    if (this.#lines.length === 0) this.#chunks.push(this.count);
    this.#columns.add(entry);
    this.#lines.push(text);
    this.#units += text.length;
  }

  /** Makes the page. */
  async page(about: AboutTrace): Promise<string> {
    return viewerWith({ data: await this.elements(about), title: about.title });
  }

  /** Makes the elements that have the messages. A page with several traces needs a prefix for the ids of each. */
  async elements(about: AboutTrace, prefix = ""): Promise<string> {
    if (this.#lines.length > 0) this.#pack();
    const index = this.#columns.index({ ...about, chunks: this.#chunks });
    const elementOf = (id: string, text: string): string =>
      `<script type="text/plain" id="${prefix}${id}">${text}</script>`;
    const chunks = await Promise.all(this.#packed);
    return [
      elementOf("trace", await compressed(JSON.stringify(index))),
      ...chunks.map((text, n) => elementOf(`chunk-${n}`, text)),
    ].join("\n");
  }

  #pack(): void {
    this.#packed.push(compressed(this.#lines.join("\n")));
    this.#lines = [];
    this.#units = 0;
  }
}

async function compressed(text: string): Promise<string> {
  return (await promisify(gzip)(text, { level: 9 })).toString("base64");
}
