import { parsePartialJson } from "ai";

const shortest = 32;
const growth = 1.25;

/**
 * The input of a tool call while the model writes it. It is read again only when it has grown by a quarter: a file that the
 * model writes would otherwise be sent once for every word in it.
 */
export class StreamedInput {
  #text = "";
  #next = 1;

  /** Adds what has come. Resolves with the input so far if it is time to show it. */
  async add(delta: string): Promise<unknown> {
    this.#text += delta;
    if (this.#text.length < this.#next) return undefined;
    this.#next = Math.max(shortest, this.#text.length * growth);
    return (await parsePartialJson(this.#text)).value;
  }
}
