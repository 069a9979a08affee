import { requireObject } from "@acp/core/internal";

import { type Clock, systemClock } from "../clock/clock.ts";
import type { Channel } from "./channel.ts";
import { isAnswer, isCall, type Message } from "./message.ts";

/** Something that went over the wire. */
export interface Traffic<M extends Message = Message> {
  readonly direction: "sent" | "received";
  /** When, in milliseconds of the clock: only differences mean something. */
  readonly time: number;
  /** As it was on the wire. */
  readonly text: string;
  /** The same, parsed; absent if it is no JSON object. */
  readonly message?: M;
}

/** Options of a {@link Peer}. */
export interface PeerOptions<M extends Message = Message> {
  /** How long {@link Peer.next} waits, in milliseconds. Default: 10,000. */
  readonly timeout?: number | undefined;
  /** Measures the time. Default: the machine's clock. */
  readonly clock?: Clock | undefined;
  /** Called with each message of the other side, before anybody who waits for it. */
  readonly onMessage?: ((message: M) => void) | undefined;
}

/** Something that was waited for has not come. */
export class MissingMessageError extends Error {
  override readonly name = "MissingMessageError";
}

/** How long is waited for a message by default, in milliseconds. */
export const defaultTimeout = 10_000;
/** How many messages an error quotes. */
const quoted = 12;

/**
 * One side of a connection, written and read by hand: it sends what it is told, right or wrong, and keeps all that comes.
 * It answers nothing by itself.
 *
 * @typeParam M What your test takes the messages that come for. Nothing checks it.
 */
export class Peer<M extends Message = Message> {
  /** All that was sent and received, in order. */
  readonly traffic: Traffic<M>[] = [];
  /** What came and is no message, in words. */
  readonly issues: string[] = [];
  /** Settles when the other side has ended the connection, with the reason if there is one. */
  readonly closed: Promise<Error | undefined>;
  readonly #channel: Channel;
  readonly #timeout: number;
  readonly #clock: Clock;
  readonly #taken = new WeakSet<M>();
  readonly #watchers = new Set<() => void>();
  #isClosed = false;
  #id = 0;

  constructor(channel: Channel, options: PeerOptions<M> = {}) {
    requireObject(channel, "new Peer() takes a channel, such as pipeChannel(pipe)", "start", "send");
    requireObject(options, "The second argument of new Peer() are its options");
    this.#channel = channel;
    this.#timeout = options.timeout ?? defaultTimeout;
    this.#clock = options.clock ?? systemClock;
    this.closed = new Promise((resolve) => {
      channel.start({
        message: (text) => this.#receive(text, options.onMessage),
        issue: (issue) => {
          this.issues.push(issue);
          this.#look();
        },
        closed: (reason) => {
          this.#isClosed = true;
          resolve(reason);
          this.#look();
        },
      });
    });
  }

  /** Whether the other side has ended the connection. */
  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** All messages that came, in order. */
  get received(): readonly M[] {
    return this.traffic.flatMap(({ direction, message }) =>
      direction === "received" && message !== undefined ? [message] : [],
    );
  }

  /** All requests and notifications that came, of this method if one is given. */
  calls(method?: string): readonly M[] {
    return this.received.filter((message) => isCall(message, method));
  }

  /** All answers that came to a request. */
  answers(id: unknown): readonly M[] {
    return this.received.filter((message) => isAnswer(message, id));
  }

  /** Sends a message, with `"jsonrpc": "2.0"` unless it says otherwise. */
  send(message: object): void {
    this.sendText(JSON.stringify({ jsonrpc: "2.0", ...message }));
  }

  /** Sends a text as a message, which need not be JSON. */
  sendText(text: string): void {
    this.#note("sent", text);
    this.#channel.send(text);
  }

  /** Writes bytes as they are: part of a message, noise, several messages at once. */
  write(bytes: string | Uint8Array): void {
    const text = typeof bytes === "string" ? bytes : new TextDecoder().decode(bytes);
    this.#note("sent", text);
    this.#channel.write(typeof bytes === "string" ? new TextEncoder().encode(bytes) : bytes);
  }

  /** Sends a notification. */
  notify(method: string, params?: unknown): void {
    this.send({ method, params });
  }

  /** Sends a request, with an id of its own unless one is given, and returns the id. */
  request(method: string, params?: unknown, id: unknown = ++this.#id): unknown {
    this.send({ id, method, params });
    return id;
  }

  /** Sends a request, as `request` does, and waits for its answer, whether it is a result or an error. */
  call(method: string, params?: unknown, id?: unknown): Promise<M> {
    return this.answerTo(this.request(method, params, id), method);
  }

  /** Answers a request. */
  reply(request: Message, result: unknown): void {
    requireObject(request, "reply() takes the request that it answers");
    this.send({ id: request.id, result });
  }

  /** Answers a request with an error. */
  fail(request: Message, code: number, message: string, data?: unknown): void {
    requireObject(request, "fail() takes the request that it answers");
    this.send({ id: request.id, error: { code, message, ...(data === undefined ? {} : { data }) } });
  }

  /**
   * The next request or notification of a method, or the next message that fits, which was not taken before: one that has
   * come already, else as soon as it comes.
   *
   * @throws {MissingMessageError} if it does not come in time, or the connection ends first.
   */
  next(wanted: string | ((message: M) => boolean), what?: string): Promise<M> {
    const fits = typeof wanted === "string" ? (message: M): boolean => isCall(message, wanted) : wanted;
    const name = what ?? (typeof wanted === "string" ? wanted : "the message");
    return this.#take(() => {
      const found = this.received.find((message) => !this.#taken.has(message) && fits(message));
      if (found !== undefined) this.#taken.add(found);
      return found;
    }, name);
  }

  /**
   * The answer to a request.
   *
   * @throws {MissingMessageError} if it does not come in time, or the connection ends first.
   */
  answerTo(id: unknown, what = "a request"): Promise<M> {
    return this.next((message) => isAnswer(message, id), `the answer to ${what}`);
  }

  /**
   * Waits until something is so. It looks whenever something comes.
   *
   * @throws {MissingMessageError} if it is not so in time, or the connection ends first.
   */
  async until(isSo: () => boolean, what: string): Promise<void> {
    await this.#take(() => (isSo() ? true : undefined), what);
  }

  /**
   * Resolves with what `find` finds, without a limit of time: it looks now, whenever something comes, and when the signal
   * aborts. Stays pending once the connection has ended.
   */
  when<T>(find: () => T | undefined, signal?: AbortSignal): Promise<T> {
    return new Promise((resolve) => {
      const look = (): void => {
        const found = find();
        if (found === undefined) return;
        this.#watchers.delete(look);
        signal?.removeEventListener("abort", look);
        resolve(found);
      };
      this.#watchers.add(look);
      signal?.addEventListener("abort", look);
      look();
    });
  }

  /** Closes the connection. */
  close(): Promise<void> {
    return this.#channel.close();
  }

  #take<T>(find: () => T | undefined, what: string): Promise<T> {
    return new Promise((resolve, reject) => {
      const settle = (): void => {
        this.#watchers.delete(look);
        stop();
      };
      const look = (): void => {
        const found = find();
        if (found !== undefined) {
          settle();
          resolve(found);
        } else if (this.#isClosed) {
          settle();
          reject(new MissingMessageError(`The connection has ended before ${what} came. ${this.#story()}`));
        }
      };
      const stop = this.#clock.after(this.#timeout, () => {
        settle();
        reject(new MissingMessageError(`${what} has not come within ${this.#timeout} ms. ${this.#story()}`));
      });
      this.#watchers.add(look);
      look();
    });
  }

  /** What has come, for an error. */
  #story(): string {
    const texts = this.traffic.filter(({ direction }) => direction === "received").map(({ text }) => text);
    if (texts.length === 0) return "Nothing has come at all.";
    const last = texts.slice(-quoted).map((text) => `\n  ${text.length > 300 ? `${text.slice(0, 300)}…` : text}`);
    return `Came${texts.length > quoted ? `, at the end of ${texts.length} messages` : ""}:${last.join("")}`;
  }

  #note(direction: Traffic["direction"], text: string): M | undefined {
    const message = parseMessage(text) as M | undefined;
    this.traffic.push({ direction, time: this.#clock.now(), text, ...(message === undefined ? {} : { message }) });
    return message;
  }

  #receive(text: string, onMessage: PeerOptions<M>["onMessage"]): void {
    const message = this.#note("received", text);
    if (message === undefined) this.issues.push("This is no JSON object");
    else onMessage?.(message);
    this.#look();
  }

  #look(): void {
    for (const look of new Set(this.#watchers)) look();
  }
}

function parseMessage(text: string): Message | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
