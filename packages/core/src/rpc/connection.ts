import type { DiagnosticListener } from "../base/diagnostics.ts";
import { AcpError, ConnectionClosedError } from "../base/errors.ts";
import { createDeferred } from "../base/promises.ts";
import type { Transport } from "../transport/transport.ts";
import type { AnswerOrder } from "./answer-order.ts";
import type { Dispatcher } from "./dispatcher.ts";
import { createHandlerRunner } from "./handler-runner.ts";
import { createInboundThrottle } from "./inbound-throttle.ts";
import { type IncomingRequest, IncomingRequests } from "./incoming-requests.ts";
import { createLanes, createSequence, type Lanes, readSessionId } from "./lanes.ts";
import { type Abortable, LazyAbort, sharedAbort } from "../base/abort.ts";
import type { MethodIndex } from "./method-index.ts";
import { createWriter } from "./writer.ts";
import { createOutgoingRequests, type OutgoingRequest, type OutgoingRequests } from "./outgoing-requests.ts";
import { createReader, type FastPath } from "./reader.ts";
import { describeError } from "../base/describe-error.ts";

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
  /** Reads some notifications past the parser. */
  readonly fastPath?: FastPath;
  /** In which order the answers to its requests are delivered. Default: as they come. */
  readonly answers?: AnswerOrder;
}

export interface CallOptions {
  /** Gives up waiting: the call rejects at once, and the peer is told by `$/cancel_request` (RCAN-01). */
  readonly signal?: Abortable | undefined;
  /** Told of the id that the request is sent with. */
  readonly onSent?: (id: number) => void;
  /** Runs the moment a result is delivered, before anything that arrived behind it. */
  readonly onResult?: (result: unknown) => void;
  /** The same for an error. */
  readonly onError?: (error: unknown) => void;
  /** Told that an answer has come that ends a turn; handlers may hold up its delivery. */
  readonly onArrival?: () => void;
  /** What it is for, such as a turn: its calls can be told from others. */
  readonly owner?: object;
}

/** Runs the moment an answer is delivered, before anything that arrived behind it. */
export type OnResult = (result: unknown, request: OutgoingRequest) => void;

/**
 * A JSON-RPC 2.0 connection over a transport, for one role. What methods exist, how they are read
 * and in what order they are handled comes from the index of its role's table.
 */
export interface Connection {
  /** What waits for its turn, by session. */
  readonly lanes: Lanes;
  /** The requests of this side that have no answer yet. */
  readonly calls: OutgoingRequests;
  /** Settles, never rejects, once the connection has ended and its handlers had their chance to answer. */
  readonly closed: Promise<void>;
  readonly hasEnded: boolean;
  /** Aborts when the connection ends; the reason is an error that says why. */
  readonly signal: AbortSignal;
  /** Begins to read. Apart from construction, so that the dispatcher can know its connection. */
  start(): void;
  /** Sends a request. Resolves with the decoded result. */
  request(method: string, params: unknown, options?: CallOptions, onResult?: OnResult): Promise<unknown>;
  /** Sends a notification. The promise is pending only while the peer is slow to read. */
  notify(method: string, params: unknown): Promise<void>;
  /** The same, but throws at once what keeps it from being sent. */
  send(method: string, params: unknown): Promise<void>;
  /** The same for a notification that is already JSON text: the fast path. */
  sendWritten(method: string, text: string): Promise<void>;
  /** Ends the connection: pending calls reject, running handlers see their signals abort. */
  close(): Promise<void>;
  /** Aborts the peer's request with this id, as JSON text, if it has no answer yet. */
  cancel(id: string): void;
  /**
   * The peer's requests that fit and have no answer yet, in the order of their ids where these are numbers. Where `keys`
   * are given, they are for one of these sessions, "" for none.
   */
  pendingRequests(fits?: (request: IncomingRequest) => boolean, keys?: readonly unknown[]): readonly IncomingRequest[];
  /** Tells the diagnostics of a handler's failure; returns the id that joins it with the wire (ERR-04). */
  reportFailure(method: string, error: unknown): string;
  /** Tells the diagnostics of a notification that could not be sent, of which its sender has not heard. */
  reportUnsent(method: string, error: unknown): void;
  /** Gives up, for `reason`, those of `calls` that still have no answer. */
  abandon(calls: readonly OutgoingRequest[], reason: unknown): void;
}

export function createConnection(options: ConnectionOptions, dispatcher: Dispatcher): Connection {
  const { transport, methods, report } = options;
  const next = createSequence();
  const calls = createOutgoingRequests();
  const end = new LazyAbort();
  const writer = createWriter(transport, report, (reason) => ended(asError(reason)));
  const incoming = new IncomingRequests(writer);
  const handlers = createHandlerRunner(dispatcher, report, end);
  const { reportFailure } = handlers;
  const throttle = createInboundThrottle(transport, calls);
  const lanes = createLanes({ ...handlers, calls, dispatcher, updateThrottle }, next);
  const closed = createDeferred();
  let closing: Promise<void> | undefined;

  function start(): void {
    const reader = createReader(options, { dispatcher, incoming, outgoing: calls, lanes, handlers, writer });
    transport.start({
      // While handlers may still answer, nothing new begins.
      message: (text) => {
        if (end.aborted) return;
        try {
          reader.read(text);
        } catch (error) {
          // Nothing is known that gets here; whatever does must not end the transport, and the process with it.
          reportFailure("a received message", error);
        }
      },
      issue: (issue) => {
        if (!end.aborted) reader.readIssue(issue);
      },
      sendQueueGrew: writer.queueGrew,
      closed: ended,
    });
  }

  function request(method: string, params: unknown, call?: CallOptions, onResult?: OnResult): Promise<unknown> {
    const signal = call?.signal && sharedAbort(call.signal);
    if (signal?.aborted) return Promise.reject(signal.reason);
    if (end.aborted) return Promise.reject(end.reason);
    return new Promise((resolve, reject) => {
      const giveUp = (): void => abandonCall(made, signal?.reason);
      const made: OutgoingRequest = {
        id: calls.nextId(),
        method,
        sentAt: next(),
        sessionId: readSessionId(params),
        entry: methods.calledRequest(method),
        owner: call?.owner,
        call,
        abandoned: false,
        resolve: (result) => {
          signal?.removeEventListener("abort", giveUp);
          try {
            if (!made.abandoned) onResult?.(result, made);
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
      // Before it is sent: there are transports that deliver the answer while they send.
      calls.add(made);
      signal?.addEventListener("abort", giveUp);
      try {
        writer.request(made.id, method, params);
      } catch (error) {
        calls.take(made.id);
        return made.reject(error);
      }
      call?.onSent?.(made.id);
      lanes.requestSent(made.sessionId);
      updateThrottle();
    });
  }

  function notify(method: string, params: unknown): Promise<void> {
    try {
      return send(method, params);
    } catch (error) {
      return Promise.reject(error);
    }
  }

  function send(method: string, params: unknown): Promise<void> {
    throwIfEnded();
    return writer.notification(method, params);
  }

  function sendWritten(method: string, text: string): Promise<void> {
    throwIfEnded();
    return writer.writtenNotification(method, text);
  }

  function throwIfEnded(): void {
    if (end.aborted && options.notifiesInGrace !== true) throw end.reason;
  }

  function updateThrottle(): void {
    throttle(lanes);
  }

  function close(): Promise<void> {
    // The peer has ended it, and somebody waits for what a handler holds up.
    if (closing !== undefined) options.answers?.deliverAll(lanes);
    return closing ?? finish(new ConnectionClosedError("The connection was closed"), true);
  }

  function reportUnsent(method: string, error: unknown): void {
    if (!end.aborted) writer.reportUnsendable(method, `A notification of ${method}`, error);
  }

  function abandon(some: readonly OutgoingRequest[], reason: unknown): void {
    for (const call of some) if (!call.abandoned && calls.get(call.id) === call) abandonCall(call, reason);
  }

  function abandonCall(call: OutgoingRequest, reason: unknown): void {
    const isAnswered = calls.get(call.id) !== call;
    // The answer has come in time, and waits for a handler. By its code, so that only who sets a limit carries the class.
    if (isAnswered && reason instanceof AcpError && reason.code === "timeout") return;
    call.abandoned = true;
    if (!isAnswered) {
      notify("$/cancel_request", { requestId: call.id }).catch(() => {});
      dispatcher.abandoned?.(call);
      updateThrottle();
      calls.strip(call);
    }
    // Last: whoever hears of it may call again.
    call.reject(reason);
  }

  /** Not by this side. */
  function ended(reason: Error | undefined): void {
    if (closing !== undefined) return;
    if (reason !== undefined) reportEnd(reason);
    finish(endReason(reason), false).catch((error: unknown) => reportEnd(asError(error)));
  }

  function reportEnd(error: Error): void {
    const message = `The connection ended: ${error.message}`;
    report({ type: "closed", level: "error", message, error });
  }

  function finish(reason: Error, wanted: boolean): Promise<void> {
    // Known before anything runs that may close it again.
    const { promise, resolve } = createDeferred();
    closing = promise;
    resolve(shutDown(reason, wanted));
    return promise;
  }

  async function shutDown(reason: Error, wanted: boolean): Promise<void> {
    end.abort(reason);
    dispatcher.ended(reason, wanted);
    for (const call of calls.drain()) if (!call.abandoned) call.reject(reason);
    incoming.abortAll(reason);
    lanes.end();
    await incoming.settleWithin(options.closingGrace);
    if (wanted) options.answers?.deliverAll(lanes);
    try {
      await transport.close();
    } finally {
      closed.resolve();
    }
  }

  return {
    lanes,
    calls,
    closed: closed.promise,
    get hasEnded() {
      return end.aborted;
    },
    get signal() {
      return end.signal;
    },
    start,
    request,
    notify,
    send,
    sendWritten,
    close,
    cancel: (id) => incoming.cancel(id),
    pendingRequests: (fits, keys) => incoming.values(fits, keys),
    reportFailure,
    reportUnsent,
    abandon,
  };
}

function asError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(describeError(thrown));
}

function endReason(reason: Error | undefined): Error {
  if (reason instanceof AcpError) return reason;
  if (reason === undefined) return new ConnectionClosedError("The peer closed the connection");
  return new ConnectionClosedError(`The connection broke: ${reason.message}`, { cause: reason });
}
