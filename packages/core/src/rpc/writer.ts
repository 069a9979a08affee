import { MessageTooLargeError as FramedTooLargeError } from "@acp/framing";
import type { DiagnosticListener } from "../base/diagnostics.ts";
import { ConnectionClosedError, MessageTooLargeError, UsageError, type WireError } from "../base/errors.ts";
import type { Transport } from "../transport/transport.ts";
import type { IncomingRequest } from "./incoming-requests.ts";
import { isThenable } from "../base/promises.ts";
import { reportError } from "../base/describe-error.ts";
import { internalError } from "./wire-errors.ts";

const settled: Promise<void> = /* @__PURE__ */ Promise.resolve();

/** Once so much waits, in UTF-16 code units, a peer that asks and does not read is answered with errors: two of the largest messages. */
const refuseAbove = 128 * 1024 * 1024;
/** An answer that takes it over this ends the connection. */
const endAbove = 256 * 1024 * 1024;
/** What is no larger than this is answered all the same: an error would be as large. */
const alwaysAnswered = 1024;

/** Turns calls and answers into JSON texts and sends them. */
export interface Writer {
  /** @throws {UsageError} if the params are no JSON. @throws if they are over the size limit. */
  request(id: number, method: string, params: unknown): void;
  /** The promise is pending only while the peer is slow. Throws as {@link request} does. */
  notification(method: string, params: unknown): Promise<void>;
  /** The same for a notification that is already JSON text: the fast path. */
  writtenNotification(method: string, text: string): Promise<void>;
  /** Answers a request with a result, or with an error if the result cannot be sent. */
  result(request: IncomingRequest, result: unknown): void;
  /** Sends an error answer to the id in `id`, as JSON text. */
  failure(id: string, error: WireError): void;
  /**
   * So much waits to be sent, which is told. Nobody can wait for room with an answer, and not to read on until there is some could have
   * both sides wait for each other; so the answers of a peer that does not read become errors, which take next to
   * nothing, and if it goes on all the same, the connection breaks.
   */
  queueGrew(size: number): void;
  /** Tells the diagnostics of what could not be sent; returns the id of that. `what` begins a sentence. */
  reportUnsendable(method: string, what: string, error: unknown): string;
}

/** @param onBroken Called with the reason why the transport cannot send any more. */
export function createWriter(
  transport: Transport,
  report: DiagnosticListener,
  onBroken: (reason: unknown) => void,
): Writer {
  /** What the transport returned last, which is often the same. */
  let watched: unknown;
  /** What waits to be sent, as the transport has told last; 0 since there was room again. */
  let waiting = 0;
  // Most notifications are like the one before.
  let lastMethod: string | undefined;
  let lastHead = "";

  function sendRequest(id: number, method: string, params: unknown): void {
    // In one piece: one that is put together takes a tenth more of the time of a call, small or large.
    const text = jsonOf("params", method, { jsonrpc: "2.0", id, method, params });
    // What JSON has not is left out of an object without a word.
    if (params !== undefined && text.endsWith('"}')) jsonOf("params", method, params);
    void sendCall(method, text, "soon");
  }

  function notification(method: string, params: unknown): Promise<void> {
    return writtenNotification(method, `${head(method)}${member("params", method, params)}}`);
  }

  function writtenNotification(method: string, text: string): Promise<void> {
    return sendCall(method, text, "later") ?? settled;
  }

  /** The beginning of a notification. */
  function head(method: string): string {
    if (method !== lastMethod) {
      lastMethod = method;
      lastHead = `{"jsonrpc":"2.0","method":${JSON.stringify(method)}`;
    }
    return lastHead;
  }

  function send(text: string, flush: "soon" | "later"): void | Promise<void> {
    const sent = transport.send(text, flush, true);
    // What others have written may return anything.
    if (!isThenable(sent)) return;
    if (sent !== watched) sent.then(caughtUp, onBroken);
    watched = sent;
    return sent;
  }

  function caughtUp(): void {
    waiting = 0;
  }

  function sendAnswer(id: string, body: string): void {
    const before = waiting;
    void send(`{"jsonrpc":"2.0","id":${id}${body}}`, "soon");
    // Only if it was told of this very answer: what it was told before may have been read meanwhile.
    if (waiting > endAbove && waiting !== before) onBroken(unread());
  }

  function unread(): Error {
    return new Error(`The peer asks on, and has left ${waiting} bytes unread`);
  }

  function sendCall(method: string, text: string, flush: "soon" | "later"): void | Promise<void> {
    try {
      return send(text, flush);
    } catch (error) {
      if (error instanceof FramedTooLargeError) throw new MessageTooLargeError(method, error.bytes, error.limit);
      throw error;
    }
  }

  function result(request: IncomingRequest, made: unknown): void {
    try {
      const body = member("result", request.method, made === undefined ? {} : made);
      if (waiting > refuseAbove && body.length > alwaysAnswered) throw unread();
      sendAnswer(request.id, body);
    } catch (error) {
      if (!isClosed(error)) {
        const what = `The answer of ${request.method}`;
        failure(request.id, internalError(reportUnsendable(request.method, what, error)));
      }
    }
  }

  function failure(id: string, error: WireError): void {
    const what = "an error answer";
    try {
      sendAnswer(id, member("error", what, error));
    } catch (cause) {
      if (isClosed(cause)) return;
      const plain = internalError(reportUnsendable(what, "An error answer", cause));
      try {
        sendAnswer(id, member("error", what, plain));
      } catch {
        // Not even that, because of its id; the diagnostic above has told.
      }
    }
  }

  function reportUnsendable(method: string, what: string, error: unknown): string {
    return reportError(report, "unsendable", method, `${what} could not be sent`, error);
  }

  return {
    request: sendRequest,
    notification,
    writtenNotification,
    result,
    failure,
    queueGrew(size) {
      waiting = size;
      const message = `${size} bytes wait to be sent: the peer is slow, and so must be whoever sends`;
      report({ type: "backlog", level: "warning", message, queue: "outgoing", size });
    },
    reportUnsendable,
  };
}

/** Whether there is nobody to answer any more, which has been told as the end of the connection. */
function isClosed(error: unknown): boolean {
  return error instanceof ConnectionClosedError;
}

type Part = "params" | "result" | "error";

/** `,"name":value`, or nothing for `undefined`. */
function member(name: Part, method: string, value: unknown): string {
  return value === undefined ? "" : `,"${name}":${jsonOf(name, method, value)}`;
}

/** @throws {UsageError} for what cannot be written, or not as JSON. */
function jsonOf(name: Part, method: string, value: unknown): string {
  let text: string | undefined;
  try {
    text = JSON.stringify(value);
  } catch (cause) {
    throw new UsageError(`The ${name} of ${method} cannot be written as JSON`, { cause });
  }
  if (text === undefined) throw new UsageError(`The ${name} of ${method} is a ${typeof value}, which JSON has not`);
  return text;
}
