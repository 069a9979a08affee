/** One side of a connection in plain JSON over plain pipes: nothing here is the toolkit's. */
import type { Readable, Writable } from "node:stream";

export interface RawMessage {
  readonly id?: unknown;
  readonly method?: string;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly result?: unknown;
  readonly error?: unknown;
}

/** A message in the framing of the connection. */
export function frame(framing: string, message: object | string): Buffer {
  const text = typeof message === "string" ? message : JSON.stringify(message);
  if (framing === "ndjson") return Buffer.from(`${text}\n`);
  return Buffer.from(`Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`);
}

export class RawPeer {
  readonly framing: string;
  /** How many messages came with each id of an own request. */
  readonly answers: Map<unknown, number> = new Map();
  /** What came that is no message. */
  readonly strays: string[] = [];
  readonly #output: Writable;
  readonly #waiting = new Map<unknown, (message: RawMessage | undefined) => void>();
  #rest: Buffer = Buffer.alloc(0);
  #held: Uint8Array[] | undefined;
  #count = 0;
  #ended = false;

  /** `receive` gets requests and notifications, `end` is called when there is nothing more to read. */
  constructor(
    framing: string,
    input: Readable,
    output: Writable,
    receive: (message: RawMessage) => void,
    end: () => void = () => {},
  ) {
    this.framing = framing;
    this.#output = output;
    output.on("error", () => {});
    input.on("error", () => {});
    input.on("data", (chunk: Buffer) => {
      this.#rest = Buffer.concat([this.#rest, chunk]);
      for (let text = this.#next(); text !== undefined; text = this.#next()) this.#take(text, receive);
    });
    const over = (): void => {
      if (this.#ended) return;
      this.#ended = true;
      for (const settle of this.#waiting.values()) settle(undefined);
      this.#waiting.clear();
      end();
    };
    input.on("end", over).on("close", over);
  }

  /** Whether nothing can be read any more. */
  get ended(): boolean {
    return this.#ended;
  }

  /** The ids of the own requests that have no answer yet. */
  get asked(): readonly unknown[] {
    return [...this.#waiting.keys()];
  }

  send(message: object): void {
    const bytes = frame(this.framing, { jsonrpc: "2.0", ...message });
    if (this.#held === undefined) this.write(bytes);
    else this.#held.push(bytes);
  }

  /** Keeps messages back until {@link release}: broken bytes must cost only what was sent for that. */
  hold(): void {
    this.#held = [];
  }

  release(): void {
    const held = this.#held ?? [];
    this.#held = undefined;
    for (const bytes of held) this.write(bytes);
  }

  write(bytes: Uint8Array | string): void {
    if (!this.#output.destroyed && this.#output.writable) this.#output.write(bytes);
  }

  /** Resolves when the other side has taken what was written, or will take nothing more. */
  async written(bytes: Uint8Array | string): Promise<void> {
    if (this.#output.destroyed || !this.#output.writable) return;
    await new Promise<void>((resolve) => this.#output.write(bytes, () => resolve()));
  }

  /** Sends a request. Resolves with its answer; with `undefined` if the connection ends first. */
  request(method: string, params: object, id: unknown = `raw-${(this.#count += 1)}`): Promise<RawMessage | undefined> {
    this.answers.set(id, 0);
    if (this.#ended) return Promise.resolve(undefined);
    const answered = new Promise<RawMessage | undefined>((resolve) => this.#waiting.set(id, resolve));
    this.send({ id, method, params });
    return answered;
  }

  /** Does not wait for answers any more. */
  giveUp(): void {
    for (const settle of this.#waiting.values()) settle(undefined);
    this.#waiting.clear();
  }

  #take(text: string, receive: (message: RawMessage) => void): void {
    if (text === "") return;
    let message: RawMessage;
    try {
      message = JSON.parse(text) as RawMessage;
    } catch {
      this.strays.push(text.slice(0, 200));
      return;
    }
    if (message.method !== undefined) return receive(message);
    const count = this.answers.get(message.id);
    // The other side answers what it could not read under null.
    if (count === undefined) return;
    this.answers.set(message.id, count + 1);
    this.#waiting.get(message.id)?.(message);
    this.#waiting.delete(message.id);
  }

  /** The next whole message. */
  #next(): string | undefined {
    const isLine = this.framing === "ndjson";
    const at = this.#rest.indexOf(isLine ? "\n" : "\r\n\r\n");
    if (at < 0) return undefined;
    if (isLine) return this.#cut(0, at, at + 1);
    const length = Number(/content-length: *(\d+)/iu.exec(this.#rest.toString("latin1", 0, at))?.[1]);
    const start = at + 4;
    if (Number.isNaN(length)) return this.#cut(0, at, start);
    return this.#rest.length < start + length ? undefined : this.#cut(start, start + length, start + length);
  }

  #cut(from: number, to: number, next: number): string {
    const text = this.#rest.toString("utf8", from, to);
    this.#rest = this.#rest.subarray(next);
    return text;
  }
}
