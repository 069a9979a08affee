import { createDeferred, type Deferred } from "../../base/promises.ts";
import { settledWithin } from "../../base/timers.ts";
import { sendHighWaterMark } from "../send-limits.ts";
import type { TextChannel, TextChannelSink } from "../text-transport.ts";
import type { WebSocketChannel } from "./web-socket-channel.ts";

/** How much may come before it is acknowledged, in UTF-16 code units. */
const acknowledgeUnits = 256 * 1024;
/** How much may be sent and not acknowledged before senders wait, in UTF-16 code units. */
const journalUnits = 1024 * 1024;
/** How long the end waits for a socket to come back, in milliseconds: a client opens one at once. */
const returnMilliseconds = 1000;

/** How much of the limits a message takes: its text, and something for its memory. */
function costOf(text: string): number {
  return text.length + 256;
}

/**
 * A connection that outlives its sockets. Each side counts the messages that it has received, and keeps what it has sent until
 * the other side says that it is there. When another socket takes over, both go on from there.
 *
 * Messages are JSON objects, so a frame that begins with a letter is between the two channels: `received 17`, and `end` or
 * `refused <reason>`, without which the end of a socket is not that of the connection.
 */
export class ResumableChannel implements TextChannel {
  readonly #onLost: (reason: Error | undefined) => void;
  #sink: TextChannelSink | undefined;
  #socket: WebSocketChannel | undefined;
  /** What was sent and is not acknowledged, and how many messages are before that. */
  #journal: string[] = [];
  #acknowledged = 0;
  #units = 0;
  /** How many messages have come, and how much of them is not acknowledged. */
  #received = 0;
  #unacknowledged = 0;
  #isEnded = false;
  /** Resolves when there is a socket again. */
  #attached: Deferred | undefined;

  /** @param onLost is called when a socket has broken. */
  constructor(onLost: (reason: Error | undefined) => void) {
    this.#onLost = onLost;
  }

  /** How many messages have come. */
  get received(): number {
    return this.#received;
  }

  /** How much waits: for a socket to come back, for the other side to acknowledge it, or in the socket. */
  get waiting(): number {
    const socket = this.#socket;
    if (socket === undefined) return this.#units;
    return this.#units > journalUnits ? this.#units : socket.waiting;
  }

  get hasSocket(): boolean {
    return this.#socket !== undefined;
  }

  get isEnded(): boolean {
    return this.#isEnded;
  }

  start(sink: TextChannelSink): void {
    this.#sink = sink;
  }

  send(text: string): number {
    if (this.#isEnded) return 0;
    this.#keep(text);
    this.#socket?.send(text);
    return this.waiting;
  }

  async flush(): Promise<void> {
    await this.#socket?.flush?.();
  }

  async close(): Promise<void> {
    if (this.#isEnded) return;
    if (this.#socket === undefined && this.#journal.length > 0) {
      this.#attached ??= createDeferred();
      await settledWithin(this.#attached.promise, returnMilliseconds);
    }
    const socket = this.#socket;
    this.#stop();
    socket?.send("end");
    await socket?.close();
  }

  /**
   * Goes on with a socket, whose other side has received so many messages. Returns where the socket is to deliver, or
   * `undefined` if what the other side needs is not kept.
   */
  attach(socket: WebSocketChannel, theyReceived: number): TextChannelSink | undefined {
    if (!this.holds(theyReceived)) return undefined;
    this.#drop(theyReceived);
    for (const text of this.#journal) socket.send(text);
    return this.#use(socket);
  }

  /** Whether all is there that follows so many messages. */
  holds(theyReceived: number): boolean {
    return theyReceived >= this.#acknowledged && theyReceived <= this.#acknowledged + this.#journal.length;
  }

  /** Begins with a socket that has sent these messages already. Returns where it is to deliver. */
  adopt(socket: WebSocketChannel, sent: readonly string[]): TextChannelSink {
    for (const text of sent) this.#keep(text);
    return this.#use(socket);
  }

  #use(socket: WebSocketChannel): TextChannelSink {
    const before = this.#socket;
    this.#socket = socket;
    void before?.close();
    this.#attached?.resolve();
    this.#attached = undefined;
    this.#makeRoom();
    const ifCurrent =
      <Values extends readonly unknown[]>(run: (...values: Values) => void) =>
      (...values: Values): void => {
        if (this.#socket === socket) run(...values);
      };
    return {
      text: ifCurrent((text: string) => this.#take(text)),
      issue: ifCurrent((issue) => this.#sink?.issue(issue)),
      room: ifCurrent(() => this.#makeRoom()),
      closed: ifCurrent((reason) => {
        this.#socket = undefined;
        this.#onLost(reason);
      }),
    };
  }

  /** Ends the connection, and says why. `isStuck`: the other side does not read, so do not wait for it. */
  end(reason: Error | undefined, isStuck = false): void {
    if (this.#isEnded) return;
    const socket = this.#socket;
    this.#stop();
    if (isStuck) socket?.terminate();
    else {
      if (reason !== undefined) socket?.send(`refused ${reason.message}`);
      void socket?.close();
    }
    this.#sink?.closed(reason);
  }

  #keep(text: string): void {
    this.#journal.push(text);
    this.#units += costOf(text);
  }

  #take(text: string): void {
    if (/^[a-z]/.test(text)) return this.#control(text);
    this.#received++;
    this.#unacknowledged += costOf(text);
    if (this.#unacknowledged > acknowledgeUnits) {
      this.#unacknowledged = 0;
      this.#socket?.send(`received ${this.#received}`);
    }
    this.#sink?.text(text);
  }

  #control(text: string): void {
    if (text === "end") return this.end(undefined);
    const [, reason] = /^refused (.+)$/s.exec(text) ?? [];
    if (reason !== undefined) return this.end(new Error(reason));
    const [, count] = /^received (\d{1,15})$/.exec(text) ?? [];
    if (count === undefined) return;
    this.#drop(Number(count));
    this.#makeRoom();
  }

  #drop(received: number): void {
    const count = Math.min(Math.max(0, received - this.#acknowledged), this.#journal.length);
    for (const text of this.#journal.splice(0, count)) this.#units -= costOf(text);
    this.#acknowledged += count;
  }

  #makeRoom(): void {
    if (this.waiting <= sendHighWaterMark) this.#sink?.room();
  }

  #stop(): void {
    this.#isEnded = true;
    this.#socket = undefined;
    this.#journal = [];
    this.#attached?.resolve();
  }
}
