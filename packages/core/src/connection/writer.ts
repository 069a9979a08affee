import { MessageTooLargeError as FramedTooLargeError } from "@acp/framing";
import type { DiagnosticListener } from "../diagnostics.ts";
import { ConnectionClosedError, MessageTooLargeError, UsageError, type WireError } from "../errors.ts";
import type { Transport } from "../transport/transport.ts";
import type { AnswerWriter, IncomingRequest } from "./incoming-request.ts";
import { isThenable } from "./thenable.ts";
import { describeThrown } from "./thrown.ts";
import { correlationId, internalError } from "./wire-errors.ts";

const settled: Promise<void> = /* @__PURE__ */ Promise.resolve();

/** Turns calls and answers into JSON texts and sends them. */
export interface Writer extends AnswerWriter {
  /** @throws {UsageError} if the params are no JSON. @throws if they are over the size limit. */
  request(id: number, method: string, params: unknown): void;
  /** The promise is pending only while the peer is slow. Throws as {@link request} does. `text` is the whole message. */
  notification(method: string, params: unknown, text?: string): Promise<void>;
  /** An error answer to the id in `id`, as JSON text. */
  failure(id: string, error: WireError): void;
  /** Tells the diagnostics of what could not be sent; returns the id of that. `what` begins a sentence. */
  reportUnsendable(method: string, what: string, error: unknown): string;
}

/** `answered` is told of each request that has its answer, `broken` why the transport cannot send any more. */
export function createWriter(
  transport: Transport,
  report: DiagnosticListener,
  answered: (request: IncomingRequest) => void,
  broken: (reason: unknown) => void,
): Writer {
  /** What the transport returned last, which is often the same. */
  let watched: unknown;
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

  function notification(
    method: string,
    params: unknown,
    text: string = `${head(method)}${member("params", method, params)}}`,
  ): Promise<void> {
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
    if (sent !== watched) sent.then(undefined, broken);
    watched = sent;
    return sent;
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
      void send(`{"jsonrpc":"2.0","id":${request.id}${body}}`, "soon");
    } catch (error) {
      if (!isClosed(error)) {
        const what = `The answer of ${request.method}`;
        failure(request.id, internalError(reportUnsendable(request.method, what, error)));
      }
    }
    answered(request);
  }

  function failure(id: string, error: WireError): void {
    try {
      void send(`{"jsonrpc":"2.0","id":${id}${member("error", "an error answer", error)}}`, "soon");
    } catch (cause) {
      if (isClosed(cause)) return;
      const plain = internalError(reportUnsendable("an error answer", "An error answer", cause));
      try {
        void send(`{"jsonrpc":"2.0","id":${id},"error":${JSON.stringify(plain)}}`, "soon");
      } catch {
        // Not even that, because of its id; the diagnostic above has told.
      }
    }
  }

  function reportUnsendable(method: string, what: string, error: unknown): string {
    const id = correlationId();
    report({
      type: "unsendable",
      level: "error",
      message: `${what} could not be sent (${id}): ${describeThrown(error)}`,
      method,
      error,
      correlationId: id,
    });
    return id;
  }

  return {
    request: sendRequest,
    notification,
    result,
    error(request, error) {
      failure(request.id, error);
      answered(request);
    },
    failure,
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
