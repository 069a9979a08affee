import type { HandledRequest } from "@acp/schema";
import type { DiagnosticListener } from "../base/diagnostics.ts";
import type { Transport } from "../transport/transport.ts";
import type { AnswerOrder } from "./answer-order.ts";
import { RequestTable } from "./request-table.ts";
import type { Dispatcher } from "./dispatcher.ts";
import { Incoming, type IncomingRequest } from "./incoming-request.ts";
import { reportInvalid } from "./invalid-message.ts";
import { createLanes, type Lanes, type QueuedNotification, readSessionId, type Sequence } from "./lanes.ts";
import { AbortReason } from "../base/abort.ts";
import type { OutgoingRequest, OutgoingRequests } from "./outgoing-requests.ts";
import type { ReaderSink } from "./reader.ts";
import { createInboundThrottle } from "./inbound-throttle.ts";
import { Refusal } from "./refusal.ts";
import { isThenable } from "../base/promises.ts";
import { createCorrelationId, isAbortError, isRequestCancelled, reportError } from "../base/describe-error.ts";
import { chosenWireError, internalError, requestCancelled } from "./wire-errors.ts";
import { createWriter, type Writer } from "./writer.ts";

/** What the options of a connection say of receiving. */
export interface ReceiverOptions {
  readonly transport: Transport;
  readonly report: DiagnosticListener;
  readonly answers?: AnswerOrder;
}

/**
 * The receiving half of a connection: takes each message of the peer to its handler when its turn has come, and
 * answers its requests.
 *
 * The reader and the lanes call it by itself, not through functions of its connection: two more for each notification
 * took a client on Bun a fifteenth of its time.
 */
export interface Receiver extends ReaderSink {
  /** Writes its answers, and what else this side sends. */
  readonly writer: Writer;
  /** What waits for its turn, by session. */
  readonly lanes: Lanes;
  /** Pauses throttle or goes on, by what waits. */
  updateThrottle(): void;
  /**
   * Tells the diagnostics of a handler's failure, unless it is that the connection has ended; returns the id that joins
   * it with the wire (ERR-04).
   */
  reportFailure(method: string, error: unknown): string;
  /**
   * The peer's requests that fit and have no answer yet, in the order of their ids where these are numbers. Where `keys`
   * are given, they are for one of these sessions, "" for none.
   */
  pendingRequests(fits?: (request: IncomingRequest) => boolean, keys?: readonly unknown[]): readonly IncomingRequest[];
  /** Aborts what runs, which may still answer for `grace` milliseconds; what has no answer then is answered by an error. */
  end(reason: Error, grace: number): Promise<void>;
}

/**
 * @param calls The requests of this side.
 * @param broken Told why the transport cannot send any more.
 */
export function createReceiver(
  { transport, report, answers }: ReceiverOptions,
  dispatcher: Dispatcher,
  calls: OutgoingRequests,
  sequence: Sequence,
  broken: (reason: unknown) => void,
): Receiver {
  const writer = createWriter(transport, report, answered, broken);
  const throttle = createInboundThrottle(transport);
  const lanes = createLanes({ handle, start, calls, updateThrottle }, sequence);
  const requests = new RequestTable<IncomingRequest>();
  let markIdle = (): void => {};
  let endReason: Error | undefined;

  function receiveRequest(id: string, method: string, params: unknown, entry: HandledRequest | undefined): void {
    const request = new Incoming(id, method, params, entry, writer);
    requests.set(request);
    const { sessionId } = request;
    if (sessionId === undefined) start(request);
    else lanes.request(sessionId, request);
  }

  function start(request: IncomingRequest): void {
    // It may have been cancelled while it waited for its turn.
    if (request.aborted) return request.fail(requestCancelled());
    try {
      const outcome = dispatcher.request(request);
      if (!isThenable(outcome)) return succeed(request, outcome);
      outcome.then(
        (result) => succeed(request, result),
        (error: unknown) => fail(request, error),
      );
    } catch (error) {
      fail(request, error);
    }
  }

  function succeed(request: IncomingRequest, result: unknown): void {
    try {
      request.answer(request.run === undefined ? result : request.run.succeed(result));
    } catch (error) {
      fail(request, error);
    }
  }

  function fail(request: IncomingRequest, error: unknown): void {
    const instead = request.run?.fail(error);
    if (instead !== undefined) return request.answer(instead);
    const chosen = chosenWireError(error);
    if (chosen !== undefined) {
      if (error instanceof Refusal) {
        reportInvalid(report, request.method, error.path, error.reason, request.params);
      }
      return request.fail(dispatcher.amend?.(chosen) ?? chosen);
    }
    // Nobody is told of a failure because of the abort, but of another one that came over it. What the peer has given up
    // cannot go on here, and often is the first that is heard of its end.
    if (isRequestCancelled(error) || (request.aborted && isAbortError(error, request.signal))) {
      return request.fail(requestCancelled());
    }
    const id = reportFailure(request.method, error);
    request.fail(request.aborted ? requestCancelled() : internalError(id));
  }

  function receiveNotification(notification: QueuedNotification): void {
    const { method, params } = notification;
    const sessionId = readSessionId(params) ?? "";
    const unclaimed = sessionId !== "" && dispatcher.onQueued?.(sessionId, method, params) === true;
    const isHandled = lanes.notify(sessionId, notification);
    if (unclaimed) dispatcher.onHeld?.(sessionId);
    if (!isHandled) updateThrottle();
  }

  function handle({ method, params, isPlain }: QueuedNotification): void | PromiseLike<void> {
    try {
      const running = dispatcher.notification(method, params, isPlain);
      if (!isThenable(running)) return;
      // What others make of `then` need not return anything.
      return Promise.resolve(running).then(
        () => {},
        (error: unknown) => {
          reportFailure(method, error);
        },
      );
    } catch (error) {
      reportFailure(method, error);
    }
  }

  function settle(request: OutgoingRequest, deliver: () => void): void {
    if (answers === undefined) deliver();
    else answers.deliver(lanes, request, deliver);
  }

  function updateThrottle(): void {
    throttle(lanes.queuedSize, mayPause);
  }

  function mayPause(): boolean {
    const since = lanes.runningSince;
    return since !== 0 && !calls.isWaitingSince(since);
  }

  function reportFailure(method: string, error: unknown): string {
    if (error !== undefined && error === endReason) return createCorrelationId();
    return reportError(report, "handler-failed", method, `The handler of ${method} failed`, error);
  }

  async function end(reason: Error, grace: number): Promise<void> {
    endReason = reason;
    for (const request of requests.values()) request.abort(reason);
    lanes.end();
    await handlersDone(grace);
    for (const request of requests.values()) request.fail(requestCancelled());
  }

  /** Resolves when no request waits for an answer of ours, or the grace is over. */
  function handlersDone(grace: number): Promise<void> {
    if (requests.size === 0 || grace === 0) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, grace);
      markIdle = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  function answered(request: IncomingRequest): void {
    // Another one with the id `null` may be in its place.
    if (requests.get(request.id) === request) requests.take(request.id);
    if (requests.size === 0) markIdle();
  }

  return {
    writer,
    lanes,
    request: receiveRequest,
    notification: receiveNotification,
    handle,
    settle,
    updateThrottle,
    reportFailure,
    end,
    cancel(id) {
      requests.get(id)?.abort(new AbortReason("The peer cancelled the request"));
    },
    isInFlight: (id) => requests.get(id) !== undefined,
    refuse: writer.failure,
    pendingRequests: (fits, keys) => requests.values(fits, keys),
  };
}
