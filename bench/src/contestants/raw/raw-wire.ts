import { Buffer } from "node:buffer";

import type { RawPipe } from "./raw-pipe.ts";

const newline = 10;
/** How much text is gathered before it is written at once, in UTF-16 code units. */
const batch = 64 * 1024;

/** A message, as the raw loop knows it: whatever JSON.parse made. */
export interface RawMessage {
  readonly id?: number;
  readonly method?: string;
  readonly params?: unknown;
  readonly result?: unknown;
}

/**
 * The limit to measure against: JSON.stringify in batches, split on the newline byte, JSON.parse. It
 * checks nothing, and tells requests from answers only by whether they have a method.
 */
export class RawWire {
  readonly #pipe: RawPipe;
  readonly #pending = new Map<number, (result: unknown) => void>();
  #lastId = 0;
  #text = "";
  #scheduled = false;
  #full: Promise<void> | undefined;
  /** The chunks of a line whose end has not come yet. */
  #rest: Buffer[] = [];

  constructor(pipe: RawPipe, handle: (message: RawMessage) => void, ended: () => void) {
    this.#pipe = pipe;
    pipe.read((bytes) => this.#read(bytes, handle), ended);
  }

  notify(method: string, params: unknown): void | Promise<void> {
    this.#text += `${JSON.stringify({ jsonrpc: "2.0", method, params })}\n`;
    if (this.#text.length >= batch) this.#flush();
    else this.#schedule(setImmediate);
    return this.#full;
  }

  request(method: string, params: unknown): Promise<unknown> {
    const id = ++this.#lastId;
    return new Promise((resolve) => {
      this.#pending.set(id, resolve);
      this.#send({ jsonrpc: "2.0", id, method, params });
    });
  }

  answer(id: number, result: unknown): void {
    this.#send({ jsonrpc: "2.0", id, result });
  }

  end(): Promise<void> {
    this.#flush();
    return this.#pipe.end();
  }

  #send(message: object): void {
    this.#text += `${JSON.stringify(message)}\n`;
    if (this.#text.length >= batch) this.#flush();
    else this.#schedule(queueMicrotask);
  }

  #schedule(when: (task: () => void) => unknown): void {
    if (this.#scheduled && when === setImmediate) return;
    this.#scheduled = true;
    when(() => this.#flush());
  }

  #flush(): void {
    this.#scheduled = false;
    const text = this.#text;
    if (text === "") return;
    this.#text = "";
    const full = this.#pipe.write(text);
    if (full === undefined) return;
    this.#full = full;
    void full.then(() => {
      if (this.#full === full) this.#full = undefined;
    });
  }

  #read(bytes: Uint8Array, handle: (message: RawMessage) => void): void {
    const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    let start = 0;
    for (let end = buffer.indexOf(newline); end !== -1; end = buffer.indexOf(newline, start)) {
      const text =
        this.#rest.length === 0
          ? buffer.toString("utf8", start, end)
          : Buffer.concat([...this.#rest.splice(0), buffer.subarray(start, end)]).toString("utf8");
      start = end + 1;
      const message = JSON.parse(text) as RawMessage;
      const pending = message.method === undefined ? this.#pending.get(message.id ?? 0) : undefined;
      if (pending === undefined) {
        handle(message);
        continue;
      }
      this.#pending.delete(message.id ?? 0);
      pending(message.result);
    }
    if (start < buffer.length) this.#rest.push(buffer.subarray(start));
  }
}
