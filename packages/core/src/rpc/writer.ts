import { MessageTooLargeError as FramedTooLargeError } from "@acp/framing";
import { reportError } from "../base/describe-error.ts";
import type { DiagnosticListener } from "../base/diagnostics.ts";
import { ConnectionClosedError, MessageTooLargeError, UsageError, type WireError } from "../base/errors.ts";
import { isThenable } from "../base/promises.ts";
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
export class Writer {
  readonly #transport: Transport;
  readonly #report: DiagnosticListener;
  readonly #onBroken: (reason: unknown) => void;
  /** What the transport returned last, which is often the same. */
  #watched: unknown;
  /** The send queue, as the transport reported last; 0 once there is room again. */
  #waiting = 0;
  // Most notifications have the method of the one before.
  #lastMethod: string | undefined;
  #lastHead = "";

  /** @param onBroken Called with the reason why the transport cannot send any more. */
  constructor(transport: Transport, report: DiagnosticListener, onBroken: (reason: unknown) => void) {
    this.#transport = transport;
    this.#report = report;
    this.#onBroken = onBroken;
  }

  /** @throws {UsageError} if the params are no JSON. @throws {MessageTooLargeError} if they are over the size limit. */
  request(id: number, method: string, params: unknown): void {
    // In one piece: joining several costs time.
    const text = stringify("params", method, { jsonrpc: "2.0", id, method, params });
    // In an object, JSON.stringify silently drops what JSON cannot express.
    if (params !== undefined && text.endsWith('"}')) stringify("params", method, params);
    void this.#sendCall(method, text, "soon");
  }

  /** The promise is pending only while the peer is slow. Throws as {@link request} does. */
  notification(method: string, params: unknown): Promise<void> {
    return this.writtenNotification(method, `${this.#head(method)}${member("params", method, params)}}`);
  }

  /** The same for a notification that is already JSON text: the fast path. */
  writtenNotification(method: string, text: string): Promise<void> {
    return this.#sendCall(method, text, "later") ?? settled;
  }

  /** Answers a request with a result, or with an error if the result cannot be sent. */
  result({ id, method }: { readonly id: string; readonly method: string }, result: unknown): void {
    try {
      const body = member("result", method, result === undefined ? {} : result);
      if (this.#waiting > refuseAbove && body.length > alwaysAnswered) throw this.#unread();
      this.#sendAnswer(id, body);
    } catch (error) {
      if (isClosed(error)) return;
      this.failure(id, internalError(this.reportUnsendable(method, `The answer of ${method}`, error)));
    }
  }

  /** Sends an error answer to the id in `id`, as JSON text. */
  failure(id: string, error: WireError): void {
    const what = "an error answer";
    try {
      this.#sendAnswer(id, member("error", what, error));
    } catch (cause) {
      if (isClosed(cause)) return;
      const plain = internalError(this.reportUnsendable(what, "An error answer", cause));
      try {
        this.#sendAnswer(id, member("error", what, plain));
      } catch {
        // Not even this, because of its id. The diagnostic above has reported it.
      }
    }
  }

  /**
   * The send queue has grown to `size`. Answers cannot wait for room, and to stop reading could make both sides wait for each
   * other. So results for a peer that does not read become errors, which are small; if it goes on, the connection ends.
   */
  queueGrew(size: number): void {
    this.#waiting = size;
    const message = `${size} bytes are queued because the peer reads slowly; await what you send`;
    this.#report({ type: "backlog", level: "warning", message, queue: "outgoing", size });
  }

  /** Reports what could not be sent, and returns the id of the diagnostic. `what` begins a sentence. */
  reportUnsendable(method: string, what: string, error: unknown): string {
    return reportError(this.#report, "unsendable", method, `${what} could not be sent`, error);
  }

  /** The beginning of a notification. */
  #head(method: string): string {
    if (method !== this.#lastMethod) {
      this.#lastMethod = method;
      this.#lastHead = `{"jsonrpc":"2.0","method":${JSON.stringify(method)}`;
    }
    return this.#lastHead;
  }

  #sendCall(method: string, text: string, flush: "soon" | "later"): void | Promise<void> {
    try {
      return this.#send(text, flush);
    } catch (error) {
      if (error instanceof FramedTooLargeError) throw new MessageTooLargeError(method, error.bytes, error.limit);
      throw error;
    }
  }

  #sendAnswer(id: string, body: string): void {
    const before = this.#waiting;
    void this.#send(`{"jsonrpc":"2.0","id":${id}${body}}`, "soon");
    // Only if this answer made it grow: an earlier queue may have been read meanwhile.
    if (this.#waiting > endAbove && this.#waiting !== before) this.#onBroken(this.#unread());
  }

  #send(text: string, flush: "soon" | "later"): void | Promise<void> {
    const sent = this.#transport.send(text, flush, true);
    // A foreign transport may return anything.
    if (!isThenable(sent)) return;
    if (sent !== this.#watched) {
      sent.then(() => {
        this.#waiting = 0;
      }, this.#onBroken);
    }
    this.#watched = sent;
    return sent;
  }

  #unread(): Error {
    return new Error(`The peer keeps sending requests but left ${this.#waiting} bytes unread`);
  }
}

/** Whether the connection has ended, which was reported. */
function isClosed(error: unknown): boolean {
  return error instanceof ConnectionClosedError;
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
