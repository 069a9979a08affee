import { LazyAbort, sharedAbort } from "../base/abort.ts";
import { describeError } from "../base/describe-error.ts";
import { AcpError, ConnectionClosedError } from "../base/errors.ts";
import { createDeferred, type Deferred, ignoreRejection } from "../base/promises.ts";
import type { Transport } from "../transport/transport.ts";
import type { Dispatcher } from "./dispatcher.ts";
import { HandlerRunner } from "./handler-runner.ts";
import { createInboundThrottle } from "./inbound-throttle.ts";
import { IncomingRequests } from "./incoming-requests.ts";
import { Lanes } from "./lanes.ts";
import { readSessionId } from "./request-table.ts";
import { type CallOptions, type OnResult, type OutgoingRequest, OutgoingRequests } from "./outgoing-requests.ts";
import { createReader, type ReaderOptions } from "./reader.ts";
import { Writer } from "./writer.ts";

export interface ConnectionOptions extends ReaderOptions {
  readonly transport: Transport;
  /** How long running handlers may still answer once the connection ends, in milliseconds. */
  readonly closingGrace: number;
  /** Whether notifications are still sent in that time: those of a proxy belong to the answers. */
  readonly notifiesInGrace?: boolean;
}

/**
 * A JSON-RPC 2.0 connection over a transport, for one role. The index of the role's table says which methods exist, how
 * messages are decoded and in which order they are handled.
 */
export class Connection {
  readonly calls: OutgoingRequests = new OutgoingRequests();
  readonly incoming: IncomingRequests;
  readonly lanes: Lanes;
  readonly #options: ConnectionOptions;
  readonly #dispatcher: Dispatcher;
  readonly #end: LazyAbort = new LazyAbort();
  readonly #closed: Deferred = createDeferred();
  readonly #writer: Writer;
  readonly #handlers: HandlerRunner;
  readonly #updateThrottle: () => void;
  #closing: Promise<void> | undefined;

  constructor(options: ConnectionOptions, dispatcher: Dispatcher) {
    const { transport, report } = options;
    const throttle = createInboundThrottle(transport, this.calls);
    this.#options = options;
    this.#dispatcher = dispatcher;
    this.#writer = new Writer(transport, report, (reason) => this.#endedByPeer(toError(reason)));
    this.incoming = new IncomingRequests(this.#writer);
    this.#handlers = new HandlerRunner(dispatcher, report, this.#end);
    this.#updateThrottle = () => throttle(this.lanes);
    this.lanes = new Lanes({
      handlers: this.#handlers,
      calls: this.calls,
      dispatcher,
      updateThrottle: this.#updateThrottle,
    });
  }

  /** Settles, never rejects, once the connection has ended and its handlers had their chance to answer. */
  get closed(): Promise<void> {
    return this.#closed.promise;
  }

  get hasEnded(): boolean {
    return this.#end.aborted;
  }

  /** Aborts when the connection ends; the reason is an error that says why. */
  get signal(): AbortSignal {
    return this.#end.signal;
  }

  /** Starts to read. Not done by the constructor, so that the dispatcher can know its connection. */
  start(): void {
    const reader = createReader(this.#options, {
      dispatcher: this.#dispatcher,
      incoming: this.incoming,
      outgoing: this.calls,
      lanes: this.lanes,
      handlers: this.#handlers,
      writer: this.#writer,
    });
    const end = this.#end;
    this.#options.transport.start({
      // While handlers may still answer, nothing new starts.
      message: (text) => {
        if (end.aborted) return;
        try {
          reader.read(text);
        } catch (error) {
          // Unexpected: report it, but keep the transport alive.
          this.reportFailure("a received message", error);
        }
      },
      issue: (issue) => {
        if (!end.aborted) reader.readIssue(issue);
      },
      sendQueueGrew: (size) => this.#writer.queueGrew(size),
      closed: (reason) => this.#endedByPeer(reason),
    });
  }

  /** Sends a request. Resolves with the decoded result. */
  request(method: string, params: unknown, call?: CallOptions, onResult?: OnResult): Promise<unknown> {
    const signal = call?.signal && sharedAbort(call.signal);
    if (signal?.aborted) return Promise.reject(signal.reason);
    if (this.#end.aborted) return Promise.reject(this.#end.reason);
    return new Promise((resolve, reject) => {
      const giveUp = (): void => this.#abandonCall(request, signal?.reason);
      const request: OutgoingRequest = {
        id: this.calls.nextId(),
        method,
        sentAt: this.lanes.nextMoment(),
        sessionId: readSessionId(params),
        entry: this.#options.methods.calledRequest(method),
        owner: call?.owner,
        call,
        abandoned: false,
        resolve: (result) => {
          signal?.removeEventListener("abort", giveUp);
          try {
            if (!request.abandoned) onResult?.(result, request);
            call?.onResult?.(result);
            resolve(result);
          } catch (error) {
            reject(error);
          }
        },
        reject: (error) => {
          signal?.removeEventListener("abort", giveUp);
          call?.onError?.(error);
          reject(error);
        },
      };
      // Before it is sent: some transports deliver the answer while they send.
      this.calls.add(request);
      signal?.addEventListener("abort", giveUp);
      try {
        this.#writer.request(request.id, method, params);
      } catch (error) {
        this.calls.take(request.id);
        return request.reject(error);
      }
      call?.onSent?.(request.id);
      this.lanes.requestSent(request.sessionId);
      this.#updateThrottle();
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

  /** Like {@link notify}, but throws what keeps the notification from being sent. */
  send(method: string, params: unknown): Promise<void> {
    this.#throwIfEnded();
    return this.#writer.notification(method, params);
  }

  /** Sends a notification that is already JSON text: the fast path. Throws as {@link send} does. */
  sendWritten(method: string, text: string): Promise<void> {
    this.#throwIfEnded();
    return this.#writer.writtenNotification(method, text);
  }

  #throwIfEnded(): void {
    if (this.#end.aborted && this.#options.notifiesInGrace !== true) throw this.#end.reason;
  }

  /** Ends the connection: pending calls reject, running handlers see their signals abort. */
  close(): Promise<void> {
    // The peer has ended it, and this side no longer waits for handlers that delay answers.
    if (this.#closing !== undefined) this.#options.answers?.deliverAll(this.lanes);
    return this.#closing ?? this.#finish(new ConnectionClosedError("The connection was closed"), true);
  }

  /** Reports the failure of a handler; see {@link HandlerRunner.reportFailure}. */
  reportFailure(method: string, error: unknown): string {
    return this.#handlers.reportFailure(method, error);
  }

  /** Reports a notification that could not be sent, if its sender does not know. */
  reportUnsent(method: string, error: unknown): void {
    if (!this.#end.aborted) this.#writer.reportUnsendable(method, `A notification of ${method}`, error);
  }

  /** Gives up those of `calls` that are still pending. */
  abandon(calls: readonly OutgoingRequest[], reason: unknown): void {
    for (const call of calls) if (!call.abandoned && this.calls.get(call.id) === call) this.#abandonCall(call, reason);
  }

  #abandonCall(call: OutgoingRequest, reason: unknown): void {
    const isAnswered = this.calls.get(call.id) !== call;
    // The answer came in time, and waits for a handler. Compares the code: only who sets a limit bundles the class.
    if (isAnswered && reason instanceof AcpError && reason.code === "timeout") return;
    call.abandoned = true;
    if (!isAnswered) {
      void ignoreRejection(this.notify("$/cancel_request", { requestId: call.id }));
      this.#dispatcher.abandoned?.(call);
      this.#updateThrottle();
      this.calls.strip(call);
    }
    // Last: the caller may call again at once.
    call.reject(reason);
  }

  #endedByPeer(reason: Error | undefined): void {
    if (this.#closing !== undefined) return;
    if (reason !== undefined) this.#reportEnd(reason);
    this.#finish(endReason(reason), false).catch((error: unknown) => this.#reportEnd(toError(error)));
  }

  #reportEnd(error: Error): void {
    const message = `The connection ended: ${error.message}`;
    this.#options.report({ type: "closed", level: "error", message, error });
  }

  #finish(reason: Error, wanted: boolean): Promise<void> {
    // Set before anything runs that may close the connection again.
    const { promise, resolve } = createDeferred();
    this.#closing = promise;
    resolve(this.#shutDown(reason, wanted));
    return promise;
  }

  async #shutDown(reason: Error, wanted: boolean): Promise<void> {
    const { answers, closingGrace, transport } = this.#options;
    this.#end.abort(reason);
    this.#dispatcher.ended(reason, wanted);
    for (const call of this.calls.drain()) if (!call.abandoned) call.reject(reason);
    this.incoming.abortAll(reason);
    this.lanes.end();
    await this.incoming.settleWithin(closingGrace);
    if (wanted) answers?.deliverAll(this.lanes);
    try {
      await transport.close();
    } finally {
      this.#closed.resolve();
    }
  }
}

function toError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(describeError(thrown));
}

function endReason(reason: Error | undefined): Error {
  if (reason instanceof AcpError) return reason;
  if (reason === undefined) return new ConnectionClosedError("The peer closed the connection");
  return new ConnectionClosedError(`The connection broke: ${reason.message}`, { cause: reason });
}
