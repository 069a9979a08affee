import type { HandledRequest } from "@acp/schema";
import type { DiagnosticListener } from "../diagnostics.ts";
import type { WireError } from "../errors.ts";
import { ById } from "./by-id.ts";
import type { Dispatcher } from "./dispatcher.ts";
import { createIncomingRequest, type IncomingRequest } from "./incoming-request.ts";
import { reportInvalid } from "./invalid-message.ts";
import { type LaneHost, Lanes, type QueuedNotification } from "./lanes.ts";
import type { OutgoingRequest, OutgoingRequests } from "./outgoing-requests.ts";
import type { ReaderSink } from "./reader.ts";
import type { Reading } from "./reading.ts";
import { Refusal } from "./refusal.ts";
import type { Sequence } from "./sequence.ts";
import { sessionIdOf } from "./session-id.ts";
import { isThenable } from "./thenable.ts";
import { describeThrown, isAbort, isGivenUp } from "./thrown.ts";
import { chosenWireError, correlationId, internalError, requestCancelled } from "./wire-errors.ts";
import type { Writer } from "./writer.ts";

export interface ReceiverOptions {
  readonly dispatcher: Dispatcher;
  readonly report: DiagnosticListener;
  readonly writer: Writer;
  /** The requests of this side. */
  readonly calls: OutgoingRequests;
  readonly sequence: Sequence;
  readonly reading: Reading;
}

/**
 * The receiving half of a connection: takes each message of the peer to its handler when its turn has come, and
 * answers its requests.
 *
 * The reader and the lanes call it by itself, not through functions of its connection: two more for each notification
 * took a client on Bun a fifteenth of its time.
 */
export class Receiver implements ReaderSink, LaneHost {
  /** What waits for its turn, by session. */
  readonly lanes: Lanes;
  readonly calls: OutgoingRequests;
  readonly #options: ReceiverOptions;
  readonly #requests = new ById<IncomingRequest>();
  #markIdle: () => void = () => {};
  #endReason: Error | undefined;

  constructor(options: ReceiverOptions) {
    this.#options = options;
    this.calls = options.calls;
    this.lanes = new Lanes(this, options.sequence);
  }

  request(id: string, method: string, params: unknown, entry: HandledRequest | undefined): void {
    const request = createIncomingRequest(id, method, params, entry, this.#options.writer);
    this.#requests.set(request);
    const sessionId = sessionIdOf(params);
    if (sessionId === undefined) this.start(request);
    else this.lanes.request(sessionId, request);
  }

  start(request: IncomingRequest): void {
    // It may have been cancelled while it waited for its turn.
    if (request.aborted) return request.fail(requestCancelled());
    try {
      const outcome = this.#options.dispatcher.request(request);
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
    try {
      request.answer(request.run === undefined ? result : request.run.succeed(result));
    } catch (error) {
      this.#fail(request, error);
    }
  }

  #fail(request: IncomingRequest, error: unknown): void {
    const instead = request.run?.fail(error);
    if (instead !== undefined) return request.answer(instead);
    const chosen = chosenWireError(error);
    if (chosen !== undefined) {
      if (error instanceof Refusal) {
        reportInvalid(this.#options.report, request.method, error.path, error.reason, request.params);
      }
      return request.fail(this.#options.dispatcher.amend?.(chosen) ?? chosen);
    }
    // Nobody is told of a failure because of the abort, but of another one that came over it. What the peer has given up
    // cannot go on here, and often is the first that is heard of its end.
    if (isGivenUp(error) || (request.aborted && isAbort(error, request.signal))) {
      return request.fail(requestCancelled());
    }
    const id = this.reportFailure(request.method, error);
    request.fail(request.aborted ? requestCancelled() : internalError(id));
  }

  notification(notification: QueuedNotification): void {
    const { method, params } = notification;
    const { dispatcher } = this.#options;
    const sessionId = sessionIdOf(params) ?? "";
    const unclaimed = sessionId !== "" && dispatcher.arrived?.(sessionId, method, params) === true;
    if (unclaimed) this.lanes.hold(sessionId);
    const isHandled = this.lanes.notify(sessionId, notification);
    if (unclaimed) dispatcher.kept?.(sessionId);
    if (!isHandled) this.updateReading();
  }

  handle({ method, params, isPlain }: QueuedNotification): void | PromiseLike<void> {
    try {
      const running = this.#options.dispatcher.notification(method, params, isPlain);
      if (!isThenable(running)) return;
      // What others make of `then` need not return anything.
      return Promise.resolve(running).then(
        () => {},
        (error: unknown) => {
          this.reportFailure(method, error);
        },
      );
    } catch (error) {
      this.reportFailure(method, error);
    }
  }

  cancel(id: string): void {
    this.#requests.get(id)?.abort(new DOMException("The peer cancelled the request", "AbortError"));
  }

  isInFlight(id: string): boolean {
    return this.#requests.get(id) !== undefined;
  }

  refuse(id: string, error: WireError): void {
    this.#options.writer.failure(id, error);
  }

  settle(request: OutgoingRequest, deliver: () => void): void {
    if (request.entry?.endsTurn === true && request.sessionId !== undefined) {
      this.lanes.respond(request.sessionId, request.sentAt, deliver);
    } else {
      deliver();
    }
  }

  /** Pauses reading or goes on, by what waits. */
  updateReading(): void {
    this.#options.reading.update(this.lanes.queuedSize, this.#mayPause);
  }

  readonly #mayPause = (): boolean => {
    const since = this.lanes.runningSince;
    return since !== 0 && !this.calls.isWaitingSince(since);
  };

  /**
   * Tells the diagnostics of a handler's failure, unless it is that the connection has ended; returns the id that joins
   * it with the wire (ERR-04).
   */
  reportFailure(method: string, error: unknown): string {
    const id = correlationId();
    if (error !== undefined && error === this.#endReason) return id;
    const message = `The handler of ${method} failed (${id}): ${describeThrown(error)}`;
    this.#options.report({ type: "handler-failed", level: "error", message, method, error, correlationId: id });
    return id;
  }

  /** The peer's requests that have no answer yet, in the order of their ids where these are numbers. */
  unanswered(): readonly IncomingRequest[] {
    return this.#requests.values();
  }

  /** One of them has its answer. */
  answered(request: IncomingRequest): void {
    if (this.#requests.get(request.id) === request) this.#requests.delete(request.id);
    if (this.#requests.size === 0) this.#markIdle();
  }

  /** Aborts what runs, which may still answer for `grace` milliseconds; what has no answer then is answered by an error. */
  async end(reason: Error, grace: number): Promise<void> {
    this.#endReason = reason;
    for (const request of this.#requests.values()) request.abort(reason);
    this.lanes.end();
    await this.#handlersDone(grace);
    for (const request of this.#requests.values()) request.fail(requestCancelled());
  }

  /** Resolves when no request waits for an answer of ours, or the grace is over. */
  #handlersDone(grace: number): Promise<void> {
    if (this.#requests.size === 0 || grace === 0) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, grace);
      this.#markIdle = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
