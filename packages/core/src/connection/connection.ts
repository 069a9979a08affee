import type { DiagnosticListener } from "../diagnostics.ts";
import { AcpError, ConnectionClosedError, TimeoutError } from "../errors.ts";
import type { Transport } from "../transport/transport.ts";
import type { Dispatcher } from "./dispatcher.ts";
import type { IncomingRequest } from "./incoming-request.ts";
import type { Lanes } from "./lanes.ts";
import { type Abortable, LazyAbort } from "./lazy-abort.ts";
import type { MethodIndex } from "./method-index.ts";
import { type OutgoingRequest, OutgoingRequests } from "./outgoing-requests.ts";
import { createReader, type Shortcut } from "./reader.ts";
import { Reading } from "./reading.ts";
import { Receiver } from "./receiver.ts";
import { Sequence } from "./sequence.ts";
import { sessionIdOf } from "./session-id.ts";
import { sharedAbort } from "./shared-abort.ts";
import { describeThrown } from "./thrown.ts";
import { Writer } from "./writer.ts";

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
  /** Whether notifications still go out in that time: for a proxy they belong to what is about to be answered. */
  readonly notifiesInGrace?: boolean;
  /** Reads the JSON of a message. Default: `JSON.parse`. */
  readonly parse?: (text: string) => unknown;
  readonly shortcut?: Shortcut;
}

export interface CallOptions {
  /** Gives up waiting: the call rejects at once, and the peer is told by `$/cancel_request` (RCAN-01). */
  readonly signal?: Abortable | undefined;
  /** Told of the id that the request is sent with. */
  readonly onSent?: (id: number) => void;
  /** What it is for, such as a turn: its calls can be told from others. */
  readonly owner?: object;
}

/** Runs the moment an answer is delivered, before anything that arrived behind it. */
export type OnResult = (result: unknown, request: OutgoingRequest) => void;

/**
 * A JSON-RPC 2.0 connection over a transport, for one role. What methods exist, how they are read
 * and in what order they are handled comes from the index of its role's table.
 */
export class Connection {
  /** What waits for its turn, by session. */
  readonly lanes: Lanes;
  /** Settles, never rejects, once the connection has ended and its handlers had their chance to answer. */
  readonly closed: Promise<void>;
  readonly #options: ConnectionOptions;
  readonly #dispatcher: Dispatcher;
  readonly #writer: Writer;
  readonly #receiver: Receiver;
  readonly #sequence = new Sequence();
  readonly #outgoing = new OutgoingRequests();
  readonly #end = new LazyAbort();
  #closing: Promise<void> | undefined;
  #markClosed: () => void = () => {};

  constructor(options: ConnectionOptions, dispatcher: Dispatcher) {
    this.#options = options;
    this.#dispatcher = dispatcher;
    this.#writer = new Writer(
      options.transport,
      options.report,
      (request) => this.#receiver.answered(request),
      (reason) => this.#ended(asError(reason)),
    );
    this.#receiver = new Receiver({
      dispatcher,
      report: options.report,
      writer: this.#writer,
      calls: this.#outgoing,
      sequence: this.#sequence,
      reading: new Reading(options.transport),
    });
    this.lanes = this.#receiver.lanes;
    this.closed = new Promise((resolve) => {
      this.#markClosed = resolve;
    });
  }

  /** Begins to read. Apart from construction, so that the dispatcher can know its connection. */
  start(): void {
    const reader = createReader(
      {
        methods: this.#options.methods,
        outgoing: this.#outgoing,
        report: this.#options.report,
        answersNoise: this.#options.answersNoise,
        parse: this.#options.parse ?? JSON.parse,
        shortcut: this.#options.shortcut,
        handles: (kind, method) => this.#dispatcher.handles(kind, method),
      },
      this.#receiver,
    );
    this.#options.transport.start({
      // While handlers may still answer, nothing new begins.
      message: (text) => {
        if (this.#end.aborted) return;
        try {
          reader.read(text);
        } catch (error) {
          // Nothing is known that gets here; whatever does must not end the transport, and the process with it.
          this.reportFailure("a received message", error);
        }
      },
      issue: (issue) => reader.readIssue(issue),
      sendQueueGrew: (size) => {
        const message = `${size} bytes wait to be sent: the peer is slow, and so must be whoever sends`;
        this.#options.report({ type: "backlog", level: "warning", message, queue: "outgoing", size });
      },
      closed: (reason) => this.#ended(reason),
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
    const signal = options.signal && sharedAbort(options.signal);
    if (signal?.aborted) return Promise.reject(signal.reason);
    if (this.#end.aborted) return Promise.reject(this.#end.reason);
    return new Promise((resolve, reject) => {
      const giveUp = (): void => this.#abandon(request, signal?.reason);
      const request: OutgoingRequest = {
        id: this.#outgoing.nextId(),
        method,
        sentAt: this.#sequence.next(),
        sessionId: sessionIdOf(params),
        entry: this.#options.methods.calledRequest(method),
        owner: options.owner,
        abandoned: false,
        resolve: (result) => {
          signal?.removeEventListener("abort", giveUp);
          try {
            if (!request.abandoned) onResult?.(result, request);
            resolve(result);
          } catch (error) {
            reject(error);
          }
        },
        reject: (error) => {
          signal?.removeEventListener("abort", giveUp);
          reject(error);
        },
      };
      // Before it is sent: there are transports that deliver the answer while they send.
      this.#outgoing.add(request);
      signal?.addEventListener("abort", giveUp);
      try {
        this.#writer.request(request.id, method, params);
      } catch (error) {
        this.#outgoing.take(request.id);
        return request.reject(error);
      }
      options.onSent?.(request.id);
      this.lanes.requestSent(request.sessionId);
      this.#receiver.updateReading();
    });
  }

  /** Sends a notification. The promise is pending only while the peer is slow to read. */
  notify(method: string, params: unknown): Promise<void> {
    try {
      return this.send(method, params);
    } catch (error) {
      return Promise.reject(error);
    }
  }

  /**
   * The same, but throws at once what keeps it from being sent. `text` is the whole message, where it is written
   * already.
   */
  send(method: string, params: unknown, text?: string): Promise<void> {
    if (this.#end.aborted && this.#options.notifiesInGrace !== true) throw this.#end.reason;
    return this.#writer.notification(method, params, text);
  }

  /** Ends the connection: pending calls reject, running handlers see their signals abort. */
  close(): Promise<void> {
    return this.#closing ?? this.#finish(new ConnectionClosedError("The connection was closed"), true);
  }

  /** Aborts the peer's request with this id, as JSON text, if it has no answer yet. */
  cancel(id: string): void {
    this.#receiver.cancel(id);
  }

  /** The peer's requests that have no answer yet, in the order of their ids where these are numbers. */
  unanswered(): readonly IncomingRequest[] {
    return this.#receiver.unanswered();
  }

  /** The requests of this side that have no answer yet. */
  get calls(): OutgoingRequests {
    return this.#outgoing;
  }

  /** Tells the diagnostics of a handler's failure; returns the id that joins it with the wire (ERR-04). */
  reportFailure(method: string, error: unknown): string {
    return this.#receiver.reportFailure(method, error);
  }

  /** Tells the diagnostics of a notification that could not be sent, of which its sender has not heard. */
  reportUnsent(method: string, error: unknown): void {
    if (!this.#end.aborted) this.#writer.reportUnsendable(method, `A notification of ${method}`, error);
  }

  /** Gives up, for `reason`, those of `calls` that still have no answer. */
  abandon(calls: readonly OutgoingRequest[], reason: unknown): void {
    for (const call of calls) {
      if (!call.abandoned && this.#outgoing.get(call.id) === call) this.#abandon(call, reason);
    }
  }

  #abandon(request: OutgoingRequest, reason: unknown): void {
    const isAnswered = this.#outgoing.get(request.id) !== request;
    // The answer has come in time, and waits for a handler.
    if (isAnswered && reason instanceof TimeoutError) return;
    request.abandoned = true;
    request.reject(reason);
    if (isAnswered) return;
    this.notify("$/cancel_request", { requestId: request.id }).catch(() => {});
    this.#dispatcher.abandoned?.(request);
    this.#receiver.updateReading();
  }

  /** Not by this side. */
  #ended(reason: Error | undefined): void {
    if (this.#closing !== undefined) return;
    if (reason !== undefined) this.#reportEnd(reason);
    this.#finish(endReason(reason), false).catch((error: unknown) => this.#reportEnd(asError(error)));
  }

  #reportEnd(error: Error): void {
    const message = `The connection ended: ${error.message}`;
    this.#options.report({ type: "closed", level: "error", message, error });
  }

  #finish(reason: Error, wanted: boolean): Promise<void> {
    let run = (): void => {};
    // Known before anything runs that may close it again.
    this.#closing = new Promise((resolve) => {
      run = () => resolve(this.#shutDown(reason, wanted));
    });
    run();
    return this.#closing;
  }

  async #shutDown(reason: Error, wanted: boolean): Promise<void> {
    this.#end.abort(reason);
    this.#dispatcher.ended(reason, wanted);
    for (const request of this.#outgoing.drain()) if (!request.abandoned) request.reject(reason);
    await this.#receiver.end(reason, this.#options.closingGrace);
    if (wanted) this.lanes.settle();
    try {
      await this.#options.transport.close();
    } finally {
      this.#markClosed();
    }
  }
}

function asError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(describeThrown(thrown));
}

function endReason(reason: Error | undefined): Error {
  if (reason instanceof AcpError) return reason;
  if (reason === undefined) return new ConnectionClosedError("The peer closed the connection");
  return new ConnectionClosedError(`The connection broke: ${reason.message}`, { cause: reason });
}
