import { LazyAbort, sharedAbort } from "../base/abort.ts";
import { describeError } from "../base/describe-error.ts";
import { AcpError, ConnectionClosedError } from "../base/errors.ts";
import { createDeferred, ignoreRejection } from "../base/promises.ts";
import type { Transport } from "../transport/transport.ts";
import type { Dispatcher } from "./dispatcher.ts";
import { createHandlerRunner } from "./handler-runner.ts";
import { createInboundThrottle } from "./inbound-throttle.ts";
import type { CheckedIncomingLimits } from "./incoming-limits.ts";
import { IncomingRequests } from "./incoming-requests.ts";
import { Lanes } from "./lanes.ts";
import { readSessionId } from "./request-table.ts";
import { type CallOptions, type OnResult, type OutgoingRequest, OutgoingRequests } from "./outgoing-requests.ts";
import { createReader, type ReaderOptions } from "./reader.ts";
import { createWriter } from "./writer.ts";

export interface ConnectionOptions extends ReaderOptions {
  readonly transport: Transport;
  /** How much the peer may ask at a time. Default: that of the options. */
  readonly limits?: CheckedIncomingLimits;
  /** How long running handlers may still answer once the connection ends, in milliseconds. */
  readonly closingGrace: number;
  /** Whether notifications are still sent in that time: those of a proxy belong to the answers. */
  readonly notifiesInGrace?: boolean;
}

/**
 * A JSON-RPC 2.0 connection over a transport, for one role. The index of the role's table lists the methods, how
 * messages are decoded, and the order of handling.
 */
export interface Connection {
  readonly lanes: Lanes;
  /** The pending requests of this side. */
  readonly calls: OutgoingRequests;
  /** The pending requests of the peer. */
  readonly incoming: IncomingRequests;
  /** Settles, never rejects, once the connection has ended and its handlers had their chance to answer. */
  readonly closed: Promise<void>;
  readonly hasEnded: boolean;
  /** Aborts when the connection ends; the reason is an error that explains why. */
  readonly signal: AbortSignal;
  /** Starts to read. A separate step, so that the dispatcher can know its connection. */
  start(): void;
  /** Sends a request. Resolves with the decoded result. */
  request(method: string, params: unknown, call?: CallOptions, onResult?: OnResult): Promise<unknown>;
  /** Sends a notification. The promise is pending only while the peer is slow to read. */
  notify(method: string, params: unknown): Promise<void>;
  /** Like {@link notify}, but throws if the notification cannot be sent. */
  send(method: string, params: unknown): Promise<void>;
  /** Sends a notification that is already JSON text: the fast path. Throws as {@link send} does. */
  sendWritten(method: string, text: string): Promise<void>;
  /** Resolves once everything that was sent has left this process, or the peer is gone. Never rejects. */
  flush(): Promise<void>;
  /** Ends the connection: pending calls reject, running handlers see their signals abort. */
  close(): Promise<void>;
  /** Ends the connection because of the peer's behavior. */
  fail(reason: Error): void;
  /** Reports the failure of a handler; see `HandlerRunner`. */
  reportFailure(method: string, error: unknown): string;
  /** Reports a notification that could not be sent, if its sender does not know. */
  reportUnsent(method: string, error: unknown): void;
  /** Cancels the pending ones among `calls`. */
  abandon(calls: readonly OutgoingRequest[], reason: unknown): void;
}

export function createConnection(options: ConnectionOptions, dispatcher: Dispatcher): Connection {
  const { transport, report } = options;
  const end = new LazyAbort();
  const closed = createDeferred();
  const calls = new OutgoingRequests();
  const writer = createWriter(transport, report, (reason) => endedByPeer(toError(reason)));
  const incoming = new IncomingRequests(writer, report, options.limits);
  const handlers = createHandlerRunner(dispatcher, report, end);
  const throttle = createInboundThrottle(transport, calls);
  const updateThrottle = (): void => throttle(lanes);
  const lanes: Lanes = new Lanes({ handlers, calls, dispatcher, updateThrottle });
  let closing: Promise<void> | undefined;

  function start(): void {
    const reader = createReader(options, { dispatcher, incoming, outgoing: calls, lanes, handlers, writer });
    transport.start({
      // While handlers may still answer, nothing new starts.
      message: (text) => {
        if (end.aborted) return;
        try {
          reader.read(text);
        } catch (error) {
          // Unexpected: report it, but keep the transport alive.
          handlers.reportFailure("a received message", error);
        }
      },
      issue: (issue) => {
        if (!end.aborted) reader.readIssue(issue);
      },
      sendQueueGrew: writer.queueGrew,
      closed: endedByPeer,
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
        sentAt: lanes.nextMoment(),
        sessionId: readSessionId(params),
        entry: options.methods.calledRequest(method),
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
      // Before it is sent: some transports deliver the answer while they send.
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

  function close(): Promise<void> {
    // The peer has ended it, and this side no longer waits for handlers that delay answers.
    if (closing !== undefined) options.answers?.deliverAll(lanes);
    return closing ?? finish(new ConnectionClosedError("The connection was closed"), true);
  }

  function abandon(some: readonly OutgoingRequest[], reason: unknown): void {
    for (const call of some) if (!call.abandoned && calls.get(call.id) === call) abandonCall(call, reason);
  }

  function abandonCall(call: OutgoingRequest, reason: unknown): void {
    const isAnswered = calls.get(call.id) !== call;
    // The answer came in time, and waits for a handler. Compares the code: only who sets a limit bundles the class.
    if (isAnswered && reason instanceof AcpError && reason.code === "timeout") return;
    call.abandoned = true;
    if (!isAnswered) {
      void ignoreRejection(notify("$/cancel_request", { requestId: call.id }));
      dispatcher.abandoned?.(call);
      updateThrottle();
      calls.strip(call);
    }
    // Last: the caller may call again at once.
    call.reject(reason);
  }

  function endedByPeer(reason: Error | undefined): void {
    if (closing !== undefined) return;
    if (reason !== undefined) reportEnd(reason);
    finish(endReason(reason), false).catch((error: unknown) => reportEnd(toError(error)));
  }

  function reportEnd(error: Error): void {
    report({ type: "closed", level: "error", message: `The connection ended: ${error.message}`, error });
  }

  function finish(reason: Error, wanted: boolean): Promise<void> {
    // Set before anything runs that may close the connection again.
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
    incoming,
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
    async flush() {
      await transport.flush?.();
    },
    close,
    fail: endedByPeer,
    reportFailure: handlers.reportFailure,
    reportUnsent(method, error) {
      if (!end.aborted) writer.reportUnsendable(method, `A notification of ${method}`, error);
    },
    abandon,
  };
}

function toError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(describeError(thrown));
}

function endReason(reason: Error | undefined): Error {
  if (reason instanceof AcpError) return reason;
  if (reason === undefined) return new ConnectionClosedError("The peer closed the connection");
  return new ConnectionClosedError(`The connection broke: ${reason.message}`, { cause: reason });
}
