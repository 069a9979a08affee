import { formatIssue, type HandledRequest } from "@acp/schema";
import type { DiagnosticListener } from "../diagnostics.ts";
import { AcpError, ConnectionClosedError, type WireError } from "../errors.ts";
import type { Transport } from "../transport/transport.ts";
import { ById } from "./by-id.ts";
import { createIncomingRequest, type IncomingRequest } from "./incoming-request.ts";
import { type Abortable, LazyAbort } from "./lazy-abort.ts";
import { Lanes, type QueuedNotification } from "./lanes.ts";
import type { MethodIndex } from "./method-index.ts";
import { type OutgoingRequest, OutgoingRequests } from "./outgoing-requests.ts";
import { Reader, type Shortcut } from "./reader.ts";
import { Reading } from "./reading.ts";
import { Refusal } from "./refusal.ts";
import { Sequence } from "./sequence.ts";
import { isThenable } from "./thenable.ts";
import { describeThrown, isAbort } from "./thrown.ts";
import { chosenWireError, correlationId, internalError, requestCancelled } from "./wire-errors.ts";
import { Writer } from "./writer.ts";

/** What a connection hands on. */
export interface Dispatcher {
  /** Answers a request, at once or with a promise; what it throws becomes the error answer. */
  request(request: IncomingRequest): unknown;
  /** Handles a notification; a promise means that it is not done yet. If it `isPlain`, there is nothing to check in it. */
  notification(method: string, params: unknown, isPlain: boolean): unknown;
  /** An error answer that a handler chose, as it is to be sent. */
  amend?(error: WireError): WireError;
  /** Whether there is a handler for this method. */
  handles(kind: "request" | "notification", method: string): boolean;
  /** A request of this side was given up. */
  abandoned?(request: OutgoingRequest): void;
  /**
   * A notification of this session has arrived, and may have to wait for its turn. Returns whether it waits, with all
   * of its session, until someone claims that.
   */
  arrived?(sessionId: string, method: string, params: unknown): boolean;
  /** Notifications of this session are being kept, this one among them. */
  kept?(sessionId: string): void;
  /** The connection has ended; `wanted` if this side closed it. Runs before pending calls reject. */
  ended(reason: Error, wanted: boolean): void;
}

export interface ConnectionOptions {
  readonly transport: Transport;
  /** What there is to know of the methods of its role. */
  readonly methods: MethodIndex;
  readonly report: DiagnosticListener;
  /**
   * Whether text that is no JSON-RPC message is answered with an error. An agent does (RPC-09); a
   * client does not: what it reads from an agent's stdout may be a stray log line.
   */
  readonly answersNoise: boolean;
  /** How long running handlers may still answer once the connection ends, in milliseconds. */
  readonly closingGrace: number;
  /** Reads the JSON of a message. Default: `JSON.parse`. */
  readonly parse?: (text: string) => unknown;
  readonly shortcut?: Shortcut;
}

export interface CallOptions {
  /** Gives up waiting: the call rejects at once, and the peer is told by `$/cancel_request` (RCAN-01). */
  readonly signal?: Abortable | undefined;
  /** Told of the id that the request is sent with. */
  readonly onSent?: (id: number) => void;
}

/** Runs the moment an answer is delivered, before anything that arrived behind it. */
export type OnResult = (result: unknown, request: OutgoingRequest) => void;

/**
 * A JSON-RPC 2.0 connection over a transport, for one role. What methods exist, how they are read
 * and in what order they are handled comes from the role's methods.
 */
export class Connection {
  /** What waits for its turn, by session. */
  readonly lanes: Lanes;
  /** Settles, never rejects, once the connection has ended and its handlers had their chance to answer. */
  readonly closed: Promise<void>;
  readonly #options: ConnectionOptions;
  readonly #dispatcher: Dispatcher;
  readonly #writer: Writer;
  readonly #sequence = new Sequence();
  readonly #outgoing = new OutgoingRequests();
  readonly #incoming = new ById<IncomingRequest>();
  readonly #reading: Reading;
  readonly #end = new LazyAbort();
  #closing: Promise<void> | undefined;
  #markClosed: () => void = () => {};
  #markIdle: () => void = () => {};

  constructor(options: ConnectionOptions, dispatcher: Dispatcher) {
    this.#options = options;
    this.#dispatcher = dispatcher;
    this.#reading = new Reading(options.transport);
    this.#writer = new Writer(options.transport, options.report, (request) => this.#answered(request));
    this.closed = new Promise((resolve) => {
      this.#markClosed = resolve;
    });
    this.lanes = new Lanes(
      {
        handle: (notification) => this.#handle(notification),
        start: (request) => this.#start(request),
        isWaitingSince: (moment, sessionId) => this.#outgoing.isWaitingSince(moment, sessionId),
        drained: () => this.#updateReading(),
      },
      this.#sequence,
    );
  }

  /** Begins to read. Apart from construction, so that the dispatcher can know its connection. */
  start(): void {
    const reader = new Reader(
      {
        methods: this.#options.methods,
        outgoing: this.#outgoing,
        report: this.#options.report,
        answersNoise: this.#options.answersNoise,
        parse: this.#options.parse ?? JSON.parse,
        shortcut: this.#options.shortcut,
        handles: (kind, method) => this.#dispatcher.handles(kind, method),
      },
      {
        request: (id, method, params, entry) => this.#receiveRequest(id, method, params, entry),
        notification: (method, params, size, isPlain) => this.#receiveNotification({ method, params, size, isPlain }),
        unqueued: (method, params) => void this.#handle({ method, params, size: 0, isPlain: false }),
        cancel: (id) => this.#incoming.get(id)?.abort(new DOMException("The peer cancelled the request", "AbortError")),
        isInFlight: (id) => this.#incoming.get(id) !== undefined,
        refuse: (id, error) => this.#writer.failure(id, error),
        settle: (request, deliver) => this.#settle(request, deliver),
      },
    );
    this.#options.transport.start({
      // While handlers may still answer, nothing new begins.
      message: (text) => {
        if (!this.#end.aborted) reader.read(text);
      },
      issue: (issue) => reader.readIssue(issue),
      sendQueueGrew: (size) => {
        const message = `${size} bytes wait to be sent: the peer is slow, and so must be whoever sends`;
        this.#options.report({ type: "backlog", level: "warning", message, queue: "outgoing", size });
      },
      closed: (reason) => {
        if (reason !== undefined && this.#closing === undefined) this.#reportEnd(reason);
        this.#closing ??= this.#finish(endReason(reason), false);
      },
    });
  }

  get hasEnded(): boolean {
    return this.#end.aborted;
  }

  /** Aborts when the connection ends; the reason is an error that says why. */
  get signal(): AbortSignal {
    return this.#end.signal;
  }

  /** Sends a request. Resolves with the decoded result. */
  request(method: string, params: unknown, options: CallOptions = {}, onResult?: OnResult): Promise<unknown> {
    const { signal } = options;
    if (signal?.aborted) return Promise.reject(signal.reason);
    if (this.#end.aborted) return Promise.reject(this.#end.reason);
    return new Promise((resolve, reject) => {
      const abandon = (): void => {
        request.abandoned = true;
        reject(signal?.reason);
        this.notify("$/cancel_request", { requestId: request.id }).catch(() => {});
        this.#dispatcher.abandoned?.(request);
        this.#updateReading();
      };
      const request: OutgoingRequest = {
        id: this.#outgoing.nextId(),
        method,
        sentAt: this.#sequence.next(),
        sessionId: sessionIdOf(params),
        entry: this.#options.methods.calledRequest(method),
        abandoned: false,
        resolve: (result) => {
          signal?.removeEventListener("abort", abandon);
          if (!request.abandoned) onResult?.(result, request);
          resolve(result);
        },
        reject: (error) => {
          signal?.removeEventListener("abort", abandon);
          reject(error);
        },
      };
      // Throws, and so rejects, before anything is pending if the params cannot be sent.
      this.#writer.request(request.id, method, params);
      this.#outgoing.add(request);
      options.onSent?.(request.id);
      signal?.addEventListener("abort", abandon, { once: true });
      this.lanes.requestSent(request.sessionId);
      this.#updateReading();
    });
  }

  /** Sends a notification. The promise is pending only while the peer is slow to read. */
  notify(method: string, params: unknown): Promise<void> {
    if (this.#end.aborted) return Promise.reject(this.#end.reason);
    try {
      return this.#writer.notification(method, params);
    } catch (error) {
      return Promise.reject(error);
    }
  }

  /** The same of a notification that is written already; `text` is the whole message. */
  notifyText(method: string, text: string): Promise<void> {
    if (this.#end.aborted) return Promise.reject(this.#end.reason);
    try {
      return this.#writer.notificationText(method, text);
    } catch (error) {
      return Promise.reject(error);
    }
  }

  /** Ends the connection: pending calls reject, running handlers see their signals abort. */
  close(): Promise<void> {
    this.#closing ??= this.#finish(new ConnectionClosedError("The connection was closed"), true);
    return this.#closing;
  }

  /** The peer's requests that have no answer yet, in the order of their ids where these are numbers. */
  unanswered(): Iterable<IncomingRequest> {
    return this.#incoming.values();
  }

  /** The requests of this side that have no answer yet. */
  get calls(): OutgoingRequests {
    return this.#outgoing;
  }

  /** Tells the diagnostics of a handler's failure; returns the id that joins it with the wire (ERR-04). */
  reportFailure(method: string, error: unknown): string {
    const id = correlationId();
    const message = `The handler of ${method} failed (${id}): ${describeThrown(error)}`;
    this.#options.report({ type: "handler-failed", level: "error", message, method, error, correlationId: id });
    return id;
  }

  #receiveRequest(id: string, method: string, params: unknown, entry: HandledRequest | undefined): void {
    const request = createIncomingRequest(id, method, params, entry, this.#writer);
    this.#incoming.set(request);
    const sessionId = sessionIdOf(params);
    if (sessionId === undefined) this.#start(request);
    else this.lanes.request(sessionId, request);
  }

  #start(request: IncomingRequest): void {
    // It may have been cancelled while it waited for its turn.
    if (request.aborted) return request.fail(requestCancelled());
    try {
      const outcome = this.#dispatcher.request(request);
      if (!isThenable(outcome)) return this.#succeed(request, outcome);
      outcome.then(
        (result) => this.#succeed(request, result),
        (error: unknown) => this.#fail(request, error),
      );
    } catch (error) {
      this.#fail(request, error);
    }
  }

  #succeed(request: IncomingRequest, result: unknown): void {
    request.answer(request.run === undefined ? result : request.run.succeed(result));
  }

  #fail(request: IncomingRequest, error: unknown): void {
    const instead = request.run?.fail(error);
    if (instead !== undefined) return request.answer(instead);
    const chosen = chosenWireError(error);
    if (chosen !== undefined) {
      if (error instanceof Refusal) this.#reportRefusal(request, error);
      return request.fail(this.#dispatcher.amend?.(chosen) ?? chosen);
    }
    // Nobody is told of a failure because of the abort, but of another one that came over it.
    if (request.aborted && isAbort(error, request.signal)) return request.fail(requestCancelled());
    const id = this.reportFailure(request.method, error);
    request.fail(request.aborted ? requestCancelled() : internalError(id));
  }

  #reportRefusal({ method, params }: IncomingRequest, { path, reason }: Refusal): void {
    const message = `A message of ${method} breaks the protocol: ${formatIssue({ path, reason })}`;
    this.#options.report({
      type: "invalid-message",
      level: "warning",
      message,
      method,
      path,
      reason,
      received: params,
    });
  }

  #receiveNotification(notification: QueuedNotification): void {
    const { method, params } = notification;
    const sessionId = sessionIdOf(params) ?? "";
    const unclaimed = sessionId !== "" && this.#dispatcher.arrived?.(sessionId, method, params) === true;
    if (unclaimed) this.lanes.hold(sessionId);
    const isHandled = this.lanes.notify(sessionId, notification);
    if (unclaimed) this.#dispatcher.kept?.(sessionId);
    if (!isHandled) this.#updateReading();
  }

  #handle({ method, params, isPlain }: QueuedNotification): void | PromiseLike<void> {
    try {
      const running = this.#dispatcher.notification(method, params, isPlain);
      if (!isThenable(running)) return;
      return running.then(
        () => {},
        (error: unknown) => {
          this.reportFailure(method, error);
        },
      );
    } catch (error) {
      this.reportFailure(method, error);
    }
  }

  #settle(request: OutgoingRequest, deliver: () => void): void {
    if (request.entry?.endsTurn === true && request.sessionId !== undefined) {
      this.lanes.respond(request.sessionId, request.sentAt, deliver);
    } else {
      deliver();
    }
  }

  #updateReading(): void {
    this.#reading.update(this.lanes.queuedSize, this.#mayPause);
  }

  readonly #mayPause = (): boolean => {
    const since = this.lanes.runningSince;
    return since !== 0 && !this.#outgoing.isWaitingSince(since);
  };

  #reportEnd(error: Error): void {
    const message = `The connection ended: ${error.message}`;
    this.#options.report({ type: "closed", level: "error", message, error });
  }

  #answered(request: IncomingRequest): void {
    if (this.#incoming.get(request.id) === request) this.#incoming.delete(request.id);
    if (this.#incoming.size === 0) this.#markIdle();
  }

  async #finish(reason: Error, wanted: boolean): Promise<void> {
    this.#end.abort(reason);
    this.#dispatcher.ended(reason, wanted);
    for (const request of this.#outgoing.drain()) if (!request.abandoned) request.reject(reason);
    for (const request of this.#incoming.values()) request.abort(reason);
    this.lanes.end();
    await this.#handlersDone();
    for (const request of this.#incoming.values()) request.fail(requestCancelled());
    try {
      await this.#options.transport.close();
    } finally {
      this.#markClosed();
    }
  }

  /** Resolves when no request waits for an answer of ours, or the grace is over. */
  #handlersDone(): Promise<void> {
    if (this.#incoming.size === 0 || this.#options.closingGrace === 0) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, this.#options.closingGrace);
      this.#markIdle = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}

/** The session a message belongs to. */
export function sessionIdOf(params: unknown): string | undefined {
  if (typeof params !== "object" || params === null) return undefined;
  const { sessionId } = params as { readonly sessionId?: unknown };
  return typeof sessionId === "string" ? sessionId : undefined;
}

function endReason(reason: Error | undefined): Error {
  if (reason instanceof AcpError) return reason;
  if (reason === undefined) return new ConnectionClosedError("The peer closed the connection");
  return new ConnectionClosedError(`The connection broke: ${reason.message}`, { cause: reason });
}
