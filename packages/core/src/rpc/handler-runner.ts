import type { Abortable } from "../base/abort.ts";
import { createCorrelationId, isAbortError, isRequestCancelled, reportError } from "../base/describe-error.ts";
import type { DiagnosticListener } from "../base/diagnostics.ts";
import { isThenable } from "../base/promises.ts";
import type { Dispatcher } from "./dispatcher.ts";
import type { IncomingRequest } from "./incoming-requests.ts";
import { reportInvalid } from "./invalid-message.ts";
import type { QueuedNotification } from "./dispatcher.ts";
import { Refusal } from "./refusal.ts";
import { chosenWireError, internalError, requestCancelled } from "./wire-errors.ts";

/** Runs the handlers of messages that are due, and answers requests with the results or errors. */
export interface HandlerRunner {
  /** Runs a request's handler. */
  start(request: IncomingRequest): void;
  /** Runs a notification's handler; a promise means that it is still running. Never throws or rejects. */
  handle(notification: QueuedNotification): void | PromiseLike<void>;
  /**
   * Reports the failure of a handler, unless it only passes on that the connection has ended. Returns the id that joins the
   * diagnostic with the answer (ERR-04).
   */
  reportFailure(method: string, error: unknown): string;
}

/** @param end Aborts when the connection ends. */
export function createHandlerRunner(dispatcher: Dispatcher, report: DiagnosticListener, end: Abortable): HandlerRunner {
  function start(request: IncomingRequest): void {
    // It may have been cancelled while it was queued.
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
      const answer = request.run === undefined ? result : request.run.succeed(result);
      if (!request.answered) dispatcher.checkAnswer?.(request, answer);
      request.answer(answer);
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
    // A failure caused by the abort is expected; any other failure is reported. If the peer has cancelled a request of ours,
    // the handler cannot continue, and the peer is often about to end.
    if (isRequestCancelled(error) || (request.aborted && isAbortError(error, request.signal))) {
      return request.fail(requestCancelled());
    }
    const id = reportFailure(request.method, error);
    request.fail(request.aborted ? requestCancelled() : internalError(id, error));
  }

  function handle(notification: QueuedNotification): void | PromiseLike<void> {
    const failed = (error: unknown): void => void reportFailure(notification.method, error);
    try {
      const running = dispatcher.notification(notification);
      // A foreign `then` may return anything.
      if (isThenable(running)) return Promise.resolve(running).then(() => {}, failed);
    } catch (error) {
      failed(error);
    }
  }

  function reportFailure(method: string, error: unknown): string {
    if (end.aborted && error === end.reason) return createCorrelationId();
    return reportError(report, "handler-failed", method, `The handler of ${method} failed`, error);
  }

  return { start, handle, reportFailure };
}
