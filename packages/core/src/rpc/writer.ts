import { MessageTooLargeError as FramedTooLargeError } from "@acp/framing";
import { reportError } from "../base/describe-error.ts";
import type { DiagnosticListener } from "../base/diagnostics.ts";
import { ConnectionClosedError, MessageTooLargeError, UsageError, type WireError } from "../base/errors.ts";
import { isThenable } from "../base/promises.ts";
import { attempt } from "../base/values.ts";
import type { Transport } from "../transport/transport.ts";
import { internalError } from "./wire-errors.ts";

const settled: Promise<void> = /* @__PURE__ */ Promise.resolve();

/** Above this send queue, in UTF-16 code units, results become errors: two of the largest messages. */
const refuseAbove = 128 * 1024 * 1024;
/** An answer that lifts the send queue above this ends the connection. */
const endAbove = 256 * 1024 * 1024;
/** A result up to this size is sent all the same: an error would be as large. */
const alwaysAnswered = 1024;

/** Writes calls and answers as JSON texts, and sends them. */
export interface Writer {
  /** @throws {UsageError} if the params are not JSON. @throws {MessageTooLargeError} if they are over the size limit. */
  request(id: number, method: string, params: unknown): void;
  /** The promise is pending only while the peer is slow. Throws as {@link request} does. */
  notification(method: string, params: unknown): Promise<void>;
  /** The same for a notification that is already JSON text: the fast path. */
  writtenNotification(method: string, text: string): Promise<void>;
  /** Answers a request with a result, or with an error if the result cannot be sent. */
  result(request: { readonly id: string; readonly method: string }, result: unknown): void;
  /** Sends an error answer to the id in `id`, as JSON text. */
  failure(id: string, error: WireError): void;
  /**
   * The send queue has grown to `size`. Answers cannot wait for room, and to stop reading could make both sides wait for each
   * other. So results for a peer that does not read become errors, which are small; if it continues, the connection ends.
   */
  queueGrew(size: number): void;
  /** Reports an unsendable message, and returns the id of the diagnostic. `what` starts a sentence. */
  reportUnsendable(method: string, what: string, error: unknown): string;
}

/** @param onBroken Called with the reason why the transport cannot send any more. */
export function createWriter(
  transport: Transport,
  report: DiagnosticListener,
  onBroken: (reason: unknown) => void,
): Writer {
  /** The transport's last promise, which is often the same. */
  let watched: unknown;
  /** The send queue, as the transport reported last; 0 once there is room again. */
  let waiting = 0;
  // Most notifications have the method of the one before.
  let lastMethod: string | undefined;
  let lastHead = "";

  function request(id: number, method: string, params: unknown): void {
    // In one piece: joining several costs time.
    const text = stringify("params", method, { jsonrpc: "2.0", id, method, params });
    // In an object, JSON.stringify silently drops values that JSON cannot express.
    if (params !== undefined && text.endsWith('"}')) stringify("params", method, params);
    void sendCall(method, text, "soon");
  }

  function notification(method: string, params: unknown): Promise<void> {
    if (method !== lastMethod) {
      lastMethod = method;
      lastHead = `{"jsonrpc":"2.0","method":${JSON.stringify(method)}`;
    }
    return writtenNotification(method, `${lastHead}${member("params", method, params)}}`);
  }

  function writtenNotification(method: string, text: string): Promise<void> {
    return sendCall(method, text, "later") ?? settled;
  }

  // That the connection has ended was reported.
  function result({ id, method }: { readonly id: string; readonly method: string }, value: unknown): void {
    try {
      const body = member("result", method, value === undefined ? {} : value);
      if (waiting > refuseAbove && body.length > alwaysAnswered) throw unread();
      sendAnswer(id, body);
    } catch (error) {
      if (error instanceof ConnectionClosedError) return;
      failure(id, internalError(reportUnsendable(method, `The answer of ${method}`, error)));
    }
  }

  function failure(id: string, error: WireError): void {
    const what = "an error answer";
    try {
      sendAnswer(id, member("error", what, error));
    } catch (cause) {
      if (cause instanceof ConnectionClosedError) return;
      const plain = internalError(reportUnsendable(what, "An error answer", cause));
      // If not even this can be sent, because of its id, the diagnostic above has reported it.
      attempt(() => sendAnswer(id, member("error", what, plain)));
    }
  }

  function reportUnsendable(method: string, what: string, error: unknown): string {
    return reportError(report, "unsendable", method, `${what} could not be sent`, error);
  }

  function sendCall(method: string, text: string, flush: "soon" | "later"): void | Promise<void> {
    try {
      return send(text, flush);
    } catch (error) {
      if (error instanceof FramedTooLargeError) throw new MessageTooLargeError(method, error.bytes, error.limit);
      throw error;
    }
  }

  function sendAnswer(id: string, body: string): void {
    const before = waiting;
    void send(`{"jsonrpc":"2.0","id":${id}${body}}`, "soon");
    // Only if this answer made it grow: an earlier queue may have been read meanwhile.
    if (waiting > endAbove && waiting !== before) onBroken(unread());
  }

  function send(text: string, flush: "soon" | "later"): void | Promise<void> {
    const sent = transport.send(text, flush, true);
    // A foreign transport may return anything.
    if (!isThenable(sent)) return;
    if (sent !== watched) sent.then(caughtUp, onBroken);
    watched = sent;
    return sent;
  }

  function caughtUp(): void {
    waiting = 0;
  }

  function unread(): Error {
    return new Error(`The peer keeps sending requests but left ${waiting} bytes unread`);
  }

  return {
    request,
    notification,
    writtenNotification,
    result,
    failure,
    queueGrew(size) {
      waiting = size;
      const message = `${size} bytes are queued because the peer reads slowly; await what you send`;
      report({ type: "backlog", level: "warning", message, queue: "outgoing", size });
    },
    reportUnsendable,
  };
}

type Part = "params" | "result" | "error";

/** Writes `,"name":value`, or nothing for `undefined`. */
function member(name: Part, method: string, value: unknown): string {
  return value === undefined ? "" : `,"${name}":${stringify(name, method, value)}`;
}

/** @throws {UsageError} for a value that cannot be written as JSON. */
function stringify(name: Part, method: string, value: unknown): string {
  let text: string | undefined;
  try {
    text = JSON.stringify(value);
  } catch (cause) {
    throw new UsageError(`The ${name} of ${method} cannot be written as JSON`, { cause });
  }
  if (text === undefined)
    throw new UsageError(`The ${name} of ${method} is a ${typeof value}, which JSON cannot express`);
  return text;
}
