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
import type { Budget, Share } from "./budget.ts";
import { OpenedSessions } from "./opened-sessions.ts";
import { type EventId, parseReceipts } from "../event-id.ts";
import { costOf } from "./event-queue.ts";
import type { Limits } from "./options.ts";
import type { NoStream } from "./outgoing-stream.ts";
import { OutgoingStreams } from "./outgoing-streams.ts";
import { TakenMessages } from "./taken-messages.ts";

/** The time to send the last messages after the agent has ended the connection, in milliseconds. */
const closeMilliseconds = 5000;

/** The server's side of a connection over HTTP: sorts the agent's messages into the streams that the client opens. */
export class ServerChannel implements TextChannel {
  readonly #limits: Limits;
  /** The client's queue, as a share of the budget for all. */
  readonly #share: Share;
  readonly #queued: Budget;
  /** The events that streams keep until the client acknowledges them. */
  #journal: Share;
  readonly #opened: OpenedSessions = new OpenedSessions();
  readonly #initializeId: string;
  readonly #onEnd: () => void;
  /** The messages with a number, which their client may repeat. */
  readonly taken: TakenMessages = new TakenMessages();
  readonly #streams: OutgoingStreams;
  /** The session of each pending request of the client, by id. Its answer goes there. */
  readonly #routes = new Map<string, { readonly method: string | undefined; readonly sessionId: string | undefined }>();
  /** The session of each pending request of the agent, by id. */
  readonly #agentRequests = new Map<string, string | undefined>();
  /** Messages that the agent has not taken yet, for the POSTs that wait for it. */
  readonly #untaken: Deferred[] = [];
  #sink: TextChannelSink | undefined;
  #initialAnswer: ((answer: string | undefined) => void) | undefined;
  /** The queues for the client and for the agent, in UTF-16 code units. */
  #unread = 0;
  #undelivered = 0;
  /** The number of open requests and streams. */
  #open = 0;
  #isEnded = false;
  #isStallWatched = false;
  #stopIdle = (): void => {};
  #stopStall = (): void => {};

  /** @param initializeId the id of `initialize`, as JSON. @param onEnd is called once. */
  constructor(limits: Limits, queued: Budget, initializeId: string, onEnd: () => void) {
    this.#limits = limits;
    this.#share = queued.open(() => {
      const limit = `${limits.maxTotalBufferedUnits} UTF-16 code units (maxTotalBufferedUnits)`;
      this.end(new Error(`All clients together have left more unread than ${limit}, and this one the most of it`));
    });
    this.#queued = queued;
    this.#journal = this.#openJournal();
    this.#initializeId = initializeId;
    this.#onEnd = onEnd;
    this.#streams = new OutgoingStreams({
      maxJournal: limits.maxJournalUnits,
      taken: (cost) => this.#taken(cost),
      keep: (cost) => this.#keep(cost),
      dropped: (cost) => this.#journal.add(-cost),
      released: () => this.release(),
    });
  }

  start(sink: TextChannelSink): void {
    this.#sink = sink;
  }

  /** Receives `initialize`. Resolves with its answer, or with `undefined` if the connection ends before. */
  async initialize(text: string): Promise<string | undefined> {
    if (this.#isEnded) return undefined;
    return new Promise((resolve) => {
      this.#initialAnswer = resolve;
      void this.receive(text, undefined, undefined);
    });
  }

  get isEnded(): boolean {
    return this.#isEnded;
  }

  /** Whether the queue for the agent is over the limit. */
  get isBehind(): boolean {
    return this.#undelivered > this.#limits.maxBufferedUnits;
  }

  /** The session of a pending request of the agent. */
  sessionOfRequest(id: string): string | undefined {
    return this.#agentRequests.get(id);
  }

  /** Receives a message of the client. Resolves when the agent has taken it, which slows down the client. */
  receive(text: string, envelope: Envelope | undefined, sessionId: string | undefined): Promise<void> {
    const { id, method } = envelope ?? {};
    if (id !== undefined && method === undefined) this.#agentRequests.delete(id);
    else if (id !== undefined) this.#routes.set(id, { method, sessionId });
    const taken = createDeferred();
    this.#untaken.push(taken);
    this.#undelivered += costOf(text);
    this.#sink?.text(text);
    if (this.#isEnded) taken.resolve();
    return taken.promise;
  }

  delivered(text: string): void {
    this.#undelivered -= costOf(text);
    this.#untaken.shift()?.resolve();
  }

  send(text: string): number {
    if (this.#isEnded) return 0;
    const envelope = readEnvelope(text);
    if (this.#initialAnswer !== undefined && envelope?.method === undefined && envelope?.id === this.#initializeId) {
      this.#initialAnswer(text);
      this.#initialAnswer = undefined;
      return this.#unread;
    }
    // Counted before the push, since a reader may take it at once.
    this.#unread += costOf(text);
    this.#share.add(costOf(text));
    // There was too much for all clients.
    if (this.#isEnded) return 0;
    this.#streams.to(this.#routeOf(envelope)).push(text);
    if (this.#unread > this.#limits.maxBufferedUnits && this.#unread > costOf(text)) {
      const limit = `${this.#limits.maxBufferedUnits} UTF-16 code units (maxBufferedUnits)`;
      this.end(new Error(`The client has left more unread than ${limit}`));
    }
    if (this.#unread > sendHighWaterMark) this.#watchStall();
    return this.#unread;
  }

  /** Explains why a client may not open one more stream; `undefined` if it may. */
  refuseStream(sessionId: string | undefined): string | undefined {
    const sessions = this.#streams.sessionsRead();
    if (sessionId === undefined || sessions.includes(sessionId)) return undefined;
    const { maxStreams, maxUnopenedStreams } = this.#limits;
    const open = sessions.length;
    const unopened = sessions.filter((id) => !this.#opened.has(id)).length;
    if (open >= maxStreams)
      return `The connection has ${open} streams of sessions, which is all it may have (maxStreams)`;
    if (unopened < maxUnopenedStreams || this.#opened.has(sessionId)) return undefined;
    return `The connection has ${unopened} streams of sessions that the agent has not opened, which is all it may have (maxUnopenedStreams)`;
  }

  /** The body of the answer to GET, or the reason for none. `last` is the last event of a client that can resume. */
  openStream(sessionId: string | undefined, last: EventId | undefined): ReadableStream<Uint8Array> | NoStream {
    // A missing stream receives no more messages.
    if (this.#isEnded && !this.#streams.has(sessionId)) return "over";
    const body = this.#streams.open(sessionId, last);
    if (typeof body !== "string") this.hold();
    return body;
  }

  /** Drops the events that the client has received. */
  acknowledge(receipts: string): void {
    for (const [stream, event] of parseReceipts(receipts)) this.#streams.acknowledge(stream, event);
  }

  /** Notes that a request or a stream is open: the connection is not idle. */
  hold(): void {
    this.#open++;
    this.#stopIdle();
  }

  /**
   * Restarts the idle timer. `initialize` only does this, and does not hold the connection: not every runtime notices that the
   * client is gone, and the agent may never answer.
   */
  touch(): void {
    this.hold();
    this.release();
  }

  /** Notes that a request or a stream has ended. */
  release(): void {
    this.#open--;
    if (this.#open > 0 || this.#isEnded) return;
    this.#stopIdle = backgroundTimer(() => {
      this.end(
        new Error(`The client had no request and no stream open for ${this.#limits.idleTimeout} ms (idleTimeout)`),
      );
    }, this.#limits.idleTimeout);
  }

  /** Ends the connection at once. Without a reason, the client has asked for it. */
  end(reason: Error | undefined): void {
    if (this.#isEnded) return;
    this.#stop();
    this.#streams.abort(reason ?? new Error("The connection has ended"));
    this.#share.end();
    this.#journal.end();
    this.#onEnd();
    this.#sink?.closed(reason);
  }

  /**
   * The agent has ended the connection. Its last messages still go to the streams that have readers, or whose reader may come
   * back for them.
   */
  async close(): Promise<void> {
    if (this.#isEnded) return;
    this.#stop();
    await settledWithin(this.#streams.finish(), closeMilliseconds);
    this.#streams.abort(new Error("The agent has ended the connection"));
    this.#share.end();
    this.#journal.end();
    this.#onEnd();
  }

  #stop(): void {
    this.#isEnded = true;
    this.#stopIdle();
    this.#stopStall();
    this.#initialAnswer?.(undefined);
    for (const taken of this.#untaken.splice(0)) taken.resolve();
    this.#routes.clear();
    this.#agentRequests.clear();
  }

  /** The session whose stream a message goes to. */
  #routeOf(envelope: Envelope | undefined): string | undefined {
    const { id, method, sessionId, cancels } = envelope ?? {};
    if (envelope === undefined || method === undefined) return this.#routeOfAnswer(envelope);
    this.#opened.said(envelope);
    // A cancellation names no session, and must not overtake its request.
    if (cancels !== undefined) return this.#agentRequests.get(cancels);
    if (id !== undefined) this.#agentRequests.set(id, sessionId);
    return sessionId;
  }

  /**
   * An answer goes to the stream of its request's session. The answer to `session/load` belongs to the stream of the connection.
   * But there it could overtake the history, so it goes to that of the session if that is read.
   */
  #routeOfAnswer(answer: Envelope | undefined): string | undefined {
    const id = answer?.id;
    const route = id === undefined ? undefined : this.#routes.get(id);
    if (id !== undefined) this.#routes.delete(id);
    if (answer !== undefined && route !== undefined) this.#opened.answered(route, answer);
    const isLoad = route?.method === "session/load";
    return isLoad && !this.#streams.isRead(route?.sessionId) ? undefined : route?.sessionId;
  }

  #taken(cost: number): void {
    this.#unread -= cost;
    this.#share.add(-cost);
    this.#stopStall();
    this.#isStallWatched = false;
    if (this.#unread <= sendHighWaterMark) this.#sink?.room();
    else this.#watchStall();
  }

  /** Counts an event that a stream keeps after sending it. Returns whether there is room. */
  #keep(cost: number): boolean {
    if (this.#unread + this.#journal.held + cost > this.#limits.maxBufferedUnits) return false;
    this.#journal.add(cost);
    return true;
  }

  /** The share of the server's budget for sent events. Under pressure the streams keep none, and continue. */
  #openJournal(): Share {
    return this.#queued.open(() => {
      const before = this.#journal;
      this.#streams.dropJournals();
      before.end();
      // A share is discarded once.
      if (!this.#isEnded) this.#journal = this.#openJournal();
    });
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
