import {
  backgroundTimer,
  createDeferred,
  type Deferred,
  sendHighWaterMark,
  settledWithin,
  type TextChannel,
  type TextChannelSink,
} from "@acp/core/internal";
import { type Envelope, readEnvelope } from "../envelope.ts";
import type { Limits } from "./limits.ts";
import { costOf, OutgoingStream } from "./outgoing-stream.ts";

/** How long what was sent may take to go out once the agent has ended the connection, in milliseconds. */
const closeMilliseconds = 5000;

/** The server's side of a connection over HTTP: sorts what the agent sends into the streams that the client opens. */
export class ServerChannel implements TextChannel {
  readonly #limits: Limits;
  readonly #initializeId: string;
  readonly #ended: () => void;
  /** By session; that of the connection by `undefined`. */
  readonly #streams = new Map<string | undefined, OutgoingStream>();
  /** The session that each request of the client was sent for, by id: there goes its answer. */
  readonly #routes = new Map<string, { readonly method: string | undefined; readonly sessionId: string | undefined }>();
  /** The session of each request of the agent that has no answer yet, by id. */
  readonly #asked = new Map<string, string | undefined>();
  /** What has come and is not delivered to the agent: whoever has posted it waits for that. */
  readonly #arrivals: Deferred[] = [];
  #sink: TextChannelSink | undefined;
  #initialAnswer: ((answer: string | undefined) => void) | undefined;
  /** What waits for the client and for the agent, in UTF-16 code units. */
  #unread = 0;
  #unheard = 0;
  /** Requests and streams that are open. */
  #open = 0;
  #isEnded = false;
  #isStallWatched = false;
  /** Resolves when nobody reads any more. */
  #drained: Deferred | undefined;
  #stopIdle = (): void => {};
  #stopStall = (): void => {};

  /** @param initializeId of the first request, as JSON. @param ended is called once, when it has ended. */
  constructor(limits: Limits, initializeId: string, ended: () => void) {
    this.#limits = limits;
    this.#initializeId = initializeId;
    this.#ended = ended;
  }

  start(sink: TextChannelSink): void {
    this.#sink = sink;
  }

  /** Takes `initialize`. Resolves with its answer, or with `undefined` if the connection ends before. */
  async initialize(text: string): Promise<string | undefined> {
    if (this.#isEnded) return undefined;
    return new Promise((resolve) => {
      this.#initialAnswer = resolve;
      void this.receive(text, undefined, undefined);
    });
  }

  /** Whether more waits for the agent than it may. */
  get isBehind(): boolean {
    return this.#unheard > this.#limits.maxBufferedUnits;
  }

  /** Which session the client's answer has to be sent for. */
  askedFor(id: string): string | undefined {
    return this.#asked.get(id);
  }

  /** Takes a message of the client. Resolves when the agent has it, so that a client that waits for it is slowed down. */
  receive(text: string, envelope: Envelope | undefined, sessionId: string | undefined): Promise<void> {
    const { id, method } = envelope ?? {};
    if (id !== undefined && method === undefined) this.#asked.delete(id);
    else if (id !== undefined) this.#routes.set(id, { method, sessionId });
    const arrived = createDeferred();
    this.#arrivals.push(arrived);
    this.#unheard += costOf(text);
    this.#sink?.text(text);
    if (this.#isEnded) arrived.resolve();
    return arrived.promise;
  }

  delivered(text: string): void {
    this.#unheard -= costOf(text);
    this.#arrivals.shift()?.resolve();
  }

  send(text: string): number {
    if (this.#isEnded) return 0;
    const envelope = readEnvelope(text);
    if (this.#initialAnswer !== undefined && envelope?.method === undefined && envelope?.id === this.#initializeId) {
      this.#initialAnswer(text);
      this.#initialAnswer = undefined;
      return this.#unread;
    }
    // Before it is pushed: whoever reads may take it at once.
    this.#unread += costOf(text);
    this.#streamFor(this.#routeOf(envelope)).push(text);
    if (this.#unread > this.#limits.maxBufferedUnits && this.#unread > costOf(text)) {
      const limit = `${this.#limits.maxBufferedUnits} UTF-16 code units (maxBufferedUnits)`;
      this.end(new Error(`The client has left more unread than ${limit}`));
    }
    if (this.#unread > sendHighWaterMark) this.#watchStall();
    return this.#unread;
  }

  /** The body of the answer to GET; `undefined` if something reads that stream already. */
  openStream(sessionId: string | undefined): ReadableStream<Uint8Array> | undefined {
    const body = this.#streamFor(sessionId).open();
    if (body !== undefined) this.hold();
    return body;
  }

  /** Something is under way: the connection is not idle. */
  hold(): void {
    this.#open++;
    this.#stopIdle();
  }

  /**
   * Something happens: the time of an idle connection begins anew. So it does for `initialize`, which is no request that is
   * held: not everything tells when the client has given it up, and an agent may never answer.
   */
  touch(): void {
    this.hold();
    this.release();
  }

  /** It is over. */
  release(): void {
    this.#open--;
    if (this.#open > 0 || this.#isEnded) return;
    this.#stopIdle = backgroundTimer(() => {
      this.end(
        new Error(`The client had no request and no stream open for ${this.#limits.idleTimeout} ms (idleTimeout)`),
      );
    }, this.#limits.idleTimeout);
  }

  /** Ends it at once: because the client wants it, or for a reason. */
  end(reason: Error | undefined): void {
    if (this.#isEnded) return;
    this.#stop();
    for (const stream of this.#streams.values()) stream.abort(reason ?? new Error("The connection has ended"));
    this.#streams.clear();
    this.#sink?.closed(reason);
  }

  /** The agent has ended it. What it has said still goes out, where there is somebody to read it. */
  async close(): Promise<void> {
    if (this.#isEnded) return;
    this.#stop();
    const drained = createDeferred();
    this.#drained = drained;
    for (const stream of this.#streams.values()) stream.finish();
    this.#lookWhetherDrained();
    await settledWithin(drained.promise, closeMilliseconds);
    for (const stream of this.#streams.values()) stream.abort(new Error("The agent has ended the connection"));
    this.#streams.clear();
  }

  #lookWhetherDrained(): void {
    if (![...this.#streams.values()].some((stream) => stream.hasReader)) this.#drained?.resolve();
  }

  #stop(): void {
    this.#isEnded = true;
    this.#stopIdle();
    this.#stopStall();
    this.#initialAnswer?.(undefined);
    for (const arrived of this.#arrivals.splice(0)) arrived.resolve();
    this.#routes.clear();
    this.#asked.clear();
    this.#ended();
  }

  /** The session whose stream a message goes to. */
  #routeOf(envelope: Envelope | undefined): string | undefined {
    const { id, method, sessionId, cancels } = envelope ?? {};
    if (method === undefined) return this.#routeOfAnswer(id);
    // A request must not be overtaken by its cancellation, which names no session.
    if (cancels !== undefined) return this.#asked.get(cancels);
    if (id !== undefined) this.#asked.set(id, sessionId);
    return sessionId;
  }

  /**
   * An answer goes where its request came from. That of `session/load` belongs on the stream of the connection; but it says
   * that the history has been told, which comes by the session's, and only there it cannot overtake it. So that is where it
   * goes if somebody reads it.
   */
  #routeOfAnswer(id: string | undefined): string | undefined {
    const route = id === undefined ? undefined : this.#routes.get(id);
    if (id !== undefined) this.#routes.delete(id);
    const isLoad = route?.method === "session/load";
    return isLoad && this.#streams.get(route?.sessionId)?.hasReader !== true ? undefined : route?.sessionId;
  }

  #streamFor(sessionId: string | undefined): OutgoingStream {
    const there = this.#streams.get(sessionId);
    if (there !== undefined) return there;
    const stream = new OutgoingStream({
      taken: (cost) => this.#taken(cost),
      released: () => {
        if (stream.isEmpty && this.#streams.get(sessionId) === stream) this.#streams.delete(sessionId);
        this.#lookWhetherDrained();
        this.release();
      },
    });
    this.#streams.set(sessionId, stream);
    return stream;
  }

  #taken(cost: number): void {
    this.#unread -= cost;
    this.#stopStall();
    this.#isStallWatched = false;
    if (this.#unread <= sendHighWaterMark) this.#sink?.room();
    else this.#watchStall();
  }

  #watchStall(): void {
    if (this.#isStallWatched || this.#isEnded) return;
    this.#isStallWatched = true;
    this.#stopStall = backgroundTimer(() => {
      this.end(
        new Error(`The client took nothing of what waits for it for ${this.#limits.stallTimeout} ms (stallTimeout)`),
      );
    }, this.#limits.stallTimeout);
  }
}
