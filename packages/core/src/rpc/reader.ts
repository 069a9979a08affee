import type { FramingIssue } from "@acp/framing";
import {
  type Decoded,
  type Decoder,
  decode,
  formatIssue,
  formatPath,
  type HandledRequest,
  isFields,
  type Path,
} from "@acp/schema";
import type { Diagnostic, DiagnosticListener } from "../base/diagnostics.ts";
import { ProtocolError, RequestError, type WireError } from "../base/errors.ts";
import { findMessages, textOutside } from "../base/find-messages.ts";
import type { AnswerOrder } from "./answer-order.ts";
import { keepReceived } from "./as-received.ts";
import type { Dispatcher } from "./dispatcher.ts";
import type { HandlerRunner } from "./handler-runner.ts";
import type { IncomingRequests } from "./incoming-requests.ts";
import {
  describeMethod,
  isPrintable,
  quoteReceived,
  reportInvalid,
  reportRule,
  toPrintablePath,
} from "./invalid-message.ts";
import type { Lanes } from "./lanes.ts";
import type { MethodIndex } from "./method-index.ts";
import type { OutgoingRequest, OutgoingRequests } from "./outgoing-requests.ts";
import { rawValue, recoverEnvelope } from "./raw-json.ts";
import { invalidParams, invalidRequest, methodNotFound, parseError } from "./wire-errors.ts";
import type { Writer } from "./writer.ts";

/** Reads a notification that comes in great numbers and always has a handler, past parsing, decoding and checking. */
export interface FastPath {
  readonly method: string;
  /** Returns the params as the decoder would; `undefined` for any text that may break a rule, or be another message. */
  read(text: string): object | undefined;
}

export interface ReaderOptions {
  /** The methods of the role. */
  readonly methods: MethodIndex;
  readonly report: DiagnosticListener;
  /**
   * True to answer a text that is not a JSON-RPC message with an error. An agent does so (RPC-09); a client does not: a line
   * of an agent's stdout may be a stray log line.
   */
  readonly answersNoise: boolean;
  /** Parses a message; throws for a text that is not JSON. Default: `JSON.parse`. */
  readonly parse?: (text: string) => unknown;
  readonly fastPath?: FastPath;
  /** The order in which answers are delivered. Default: as they come. */
  readonly answers?: AnswerOrder;
}

/** Where messages go from here. */
export interface ReaderTargets {
  readonly dispatcher: Pick<Dispatcher, "handles" | "unhandled">;
  readonly incoming: IncomingRequests;
  readonly outgoing: OutgoingRequests;
  readonly lanes: Lanes;
  readonly handlers: Pick<HandlerRunner, "handle">;
  readonly writer: Pick<Writer, "failure">;
}

type Received = Readonly<Record<string, unknown>>;

/** How many repaired places of a message a diagnostic puts into words. */
const describedIssues = 5;

// Shared, since every decoded message needs one.
const inParams: Path = [];
const inResult: Path = ["result"];

export interface Reader {
  /** Reads a message. */
  read(text: string): void;
  /** Reports a message that the framing discarded, and settles its request. */
  readIssue(issue: FramingIssue): void;
}

/** Tells requests, notifications and answers apart, decodes them, and answers those that break the protocol. */
export function createReader(options: ReaderOptions, targets: ReaderTargets): Reader {
  const { methods, report, answersNoise, parse = JSON.parse, fastPath, answers } = options;
  const { dispatcher, incoming, outgoing, lanes, handlers, writer } = targets;

  function read(text: string): void {
    const params = fastPath?.read(text);
    if (params !== undefined) {
      return lanes.notify({ method: fastPath!.method, params, size: text.length, isChecked: true, wasQueued: false });
    }
    let message: unknown;
    try {
      message = parse(text);
    } catch {
      return readMixed(text);
    }
    readParsed(message, text);
  }

  function readParsed(message: unknown, text: string): void {
    if (!isFields(message)) return readNonObject(message, text);
    if (message["result"] !== undefined || message["error"] !== undefined) return readResponse(message);
    const { jsonrpc, method, id } = message;
    if (jsonrpc !== "2.0" || typeof method !== "string") return readMalformed(message, text);
    const name = methods.nameOf(method);
    if (id === undefined) readNotification(name, message, text);
    else readRequest(name, message, text);
  }

  /** Reads the messages of a line that has more than one, or something around them; a text without any is noise. */
  function readMixed(text: string): void {
    const spans = findMessages(text);
    if (spans.length === 0) return noise(text, "it is no JSON", answersNoise ? parseError() : undefined);
    const received = textOutside(text, spans);
    const message = `The peer sent a line that is not one message: the connection read ${spans.length} in it, and left out the rest`;
    reportNoise(message, received);
    for (const { start, end } of spans) {
      const part = text.slice(start, end);
      readParsed(parse(part), part);
    }
    // Another message, which was cut off: its sender has to know.
    if (answersNoise && received.includes('"jsonrpc"')) writer.failure("null", parseError());
  }

  function readIssue(issue: FramingIssue): void {
    report({ type: "framing", level: "warning", message: issue.message, issue });
    const envelope = recoverEnvelope(issue.head ?? "", issue.tail ?? "");
    const { method } = envelope;
    const isBadText = issue.code === "invalid-utf8";
    // With a replaced byte it is not the id that was sent.
    const id = isBadText && envelope.id?.includes("\ufffd") ? undefined : envelope.id;
    const isNotification = method !== undefined && envelope.id === undefined;
    if (envelope.isResponse || (id !== undefined && method === undefined)) {
      const pending = outgoing.take(JSON.parse(id ?? "null"));
      if (pending !== undefined) reject(pending, [], `the answer was left out: ${issue.message}`);
    } else if (id !== undefined && method !== undefined && envelope.isJsonRpc) {
      writer.failure(id, invalidRequest(issue.message));
    } else if (isBadText && !isNotification && answersNoise) {
      writer.failure("null", parseError());
    }
  }

  function readRequest(method: string, message: Received, text: string): void {
    const id = idText(message["id"], text);
    const params = message["params"];
    if (id === undefined) return invalid(method, ["id"], "expected a string, a number or null", message, "null");
    if (id !== "null" && incoming.has(id)) {
      return invalid(method, ["id"], "is in use by a request that has no answer yet", message, id);
    }
    const entry = methods.handledRequest(method);
    if (!isHandled("request", method, entry)) {
      dispatcher.unhandled?.(method, params);
      return writer.failure(id, methodNotFound(isPrintable(method) ? method : undefined));
    }
    if (incoming.refuse(id, text.length)) return;
    if (entry === undefined) return receive(id, method, params, entry, text.length);
    const decoded = decodePart(entry.params, method, params, message);
    if (decoded.ok) return receive(id, method, decoded.value, entry, text.length);
    writer.failure(id, invalidParams(formatPath(toPrintablePath(decoded.path)), decoded.reason));
  }

  function receive(id: string, method: string, params: unknown, entry: HandledRequest | undefined, size: number): void {
    lanes.request(incoming.add(id, method, params, entry, size));
  }

  function readNotification(method: string, message: Received, text: string): void {
    const entry = methods.handledNotification(method);
    if (method === "$/cancel_request" && !methods.isOpen(method)) return readCancel(message, text);
    if (!isHandled("notification", method, entry, { received: message })) return;
    const params = message["params"];
    if (entry === undefined) return notify(method, params, text.length);
    const decoded = decodePart(entry.params, method, params, message);
    if (decoded.ok) notify(method, decoded.value, text.length);
  }

  /** Whether there is a handler; if not, reports it with the members in `more`. */
  function isHandled(
    kind: "request" | "notification",
    method: string,
    entry: object | undefined,
    more?: object,
  ): boolean {
    // A notification with the name of a request has no entry: its params would reach the handler undecoded.
    const exists = entry !== undefined || methods.isOpen(method);
    if (exists && dispatcher.handles(kind, method)) return true;
    const message = `There is no handler for the ${kind} ${describeMethod(method)}`;
    report({ type: `unknown-${kind}`, level: "info", message, method, ...more } as Diagnostic);
    return false;
  }

  function notify(method: string, params: unknown, size: number): void {
    const notification = { method, params, size, isChecked: false, wasQueued: false };
    if (methods.isUnqueued(method)) void handlers.handle(notification);
    else lanes.notify(notification);
  }

  function readCancel(message: Received, text: string): void {
    const params = message["params"];
    const id = isFields(params) ? idText(params["requestId"], text, ["params", "requestId"]) : undefined;
    if (id !== undefined) incoming.cancel(id);
    else invalid("$/cancel_request", ["params", "requestId"], "expected the id of a request", message);
  }

  function readResponse(received: Received): void {
    const { id, result, error, jsonrpc, method } = received;
    const pending = outgoing.take(id);
    if (pending === undefined) {
      const what = outgoing.wasAnswered(id) ? "a second answer to a request" : "an answer to no request of ours";
      return report({ type: "unexpected-response", level: "warning", message: `The peer sent ${what}`, received });
    }
    if (pending.abandoned) {
      const message = `The answer of ${pending.method} came after its caller had given up`;
      return report({ type: "late-response", level: "info", message, method: pending.method, received });
    }
    if (jsonrpc !== "2.0") return reject(pending, ["jsonrpc"], 'expected "2.0"', received);
    if (method !== undefined) return reject(pending, ["method"], "does not belong in an answer", received);
    if (error === undefined) return readResult(pending, result, received);
    if (error === null && result !== undefined) {
      reportNull(pending.method, "error", "a result");
      return readResult(pending, result, received);
    }
    if (result != null) return reject(pending, ["error"], "stands beside a result", received);
    // Unknown members of an error are kept.
    if (!isFields(error)) return reject(pending, ["error"], "is no error object", received);
    if (!Number.isInteger(error["code"])) return reject(pending, ["error", "code"], "expected an integer", received);
    if (typeof error["message"] !== "string") {
      return reject(pending, ["error", "message"], "expected a string", received);
    }
    if (result === null) reportNull(pending.method, "result", "an error");
    settle(pending, () => pending.reject(new RequestError(error as object as WireError, { method: pending.method })));
  }

  /** Many serialisers write a missing member as null, which cannot be misread. */
  function reportNull(method: string, member: string, beside: string): void {
    const path = [member];
    const reason = `is null beside ${beside}`;
    const message = `The answer of ${method} breaks a rule (${formatIssue({ path, reason })}); it is read without it`;
    reportRule(report, method, message, "RPC-02", { path, reason });
  }

  function readResult(pending: OutgoingRequest, result: unknown, message: Received): void {
    const decoder = pending.entry?.result;
    if (decoder === undefined) return settle(pending, () => pending.resolve(result));
    // Older texts of the protocol answer `null` if there is nothing to say (SESS-08, FS-06).
    const decoded = decodePart(decoder, pending.method, result ?? {}, message, inResult);
    if (decoded.ok) return settle(pending, () => pending.resolve(decoded.value));
    const { path, reason } = decoded;
    reject(pending, ["result", ...path], reason + quoteReceived(result, path, reason));
  }

  /** Reads an object that is neither a request, a notification nor an answer. */
  function readMalformed(message: Received, text: string): void {
    const { jsonrpc, method, id } = message;
    const pending = method === undefined ? outgoing.take(id) : undefined;
    if (pending !== undefined) return reject(pending, [], "has neither result nor error", message);
    const isJsonRpc = jsonrpc === "2.0";
    if (!isJsonRpc && !answersNoise) return noise(text, "it is no JSON-RPC message", undefined);
    const [member, reason] = isJsonRpc ? ["method", "expected a string"] : ["jsonrpc", 'expected "2.0"'];
    // A malformed notification is never answered (RPC-03).
    const answerTo = id === undefined && method !== undefined ? undefined : (idText(id, text) ?? "null");
    invalid(typeof method === "string" ? method : undefined, [member], reason, message, answerTo);
  }

  function readNonObject(message: unknown, text: string): void {
    const isBatch = Array.isArray(message);
    const isAnswered = isBatch ? isAnsweredBatch(message) : answersNoise;
    const reason = isBatch ? "batches are not part of the protocol" : "a message is an object";
    noise(text, reason, isAnswered ? invalidRequest(reason) : undefined);
  }

  /** A batch is answered if one of its parts would be, on its own (RPC-03). */
  function isAnsweredBatch(parts: readonly unknown[]): boolean {
    if (parts.length === 0) return answersNoise;
    return parts.some((part) => {
      if (!isFields(part)) return answersNoise;
      if (part["result"] !== undefined || part["error"] !== undefined) return false;
      const isAsking = part["id"] !== undefined || part["method"] === undefined;
      return isAsking && (answersNoise || part["jsonrpc"] === "2.0");
    });
  }

  function noise(received: string, why: string, answer: WireError | undefined): void {
    const message = `The peer sent a text that is not a message: ${why}`;
    reportNoise(message, received);
    if (answer !== undefined) writer.failure("null", answer);
  }

  function reportNoise(message: string, received: string): void {
    report({ type: "noise", level: "warning", message, received });
  }

  /** Delivers an answer, now or when its turn comes. */
  function settle(request: OutgoingRequest, deliver: () => void): void {
    if (answers === undefined) deliver();
    else answers.deliver(lanes, request, deliver);
  }

  function reject(pending: OutgoingRequest, path: Path, reason: string, received?: Received): void {
    if (received !== undefined) reportInvalid(report, pending.method, path, reason, received);
    if (pending.abandoned) return;
    const error = new ProtocolError(pending.method, path, reason, received?.["error"]);
    settle(pending, () => pending.reject(error));
  }

  function invalid(
    method: string | undefined,
    path: readonly string[],
    reason: string,
    received: Received,
    answerTo?: string,
  ): void {
    reportInvalid(report, method, path, reason, received);
    if (answerTo !== undefined) writer.failure(answerTo, invalidRequest(formatIssue({ path, reason })));
  }

  /** Decodes the params, or the value `at` another place; a missing value is an empty object. */
  function decodePart<T>(
    decoder: Decoder<T>,
    method: string,
    value: unknown = {},
    received: Received,
    at = inParams,
  ): Decoded<T> {
    const decoded = decode(decoder, value);
    if (!decoded.ok) {
      reportInvalid(report, method, [...at, ...decoded.path], decoded.reason, received);
      return decoded;
    }
    // Only objects are replaced, by copies.
    if (decoded.value !== value) keepReceived(decoded.value as Received, value as Received);
    if (decoded.issues.length === 0) return decoded;
    // An unknown variant that the schema has room for is valid.
    const issues = decoded.issues.filter(({ action, isInvalid }) => action !== "unknown" || isInvalid);
    if (issues.length === 0) return decoded;
    const places = issues
      .slice(0, describedIssues)
      .map(({ path, reason }) => formatIssue({ path: toPrintablePath(path), reason }));
    if (issues.length > describedIssues) places.push("and more");
    const message = `A message of ${method} was read in part: ${places.join("; ")}`;
    report({ type: "tolerated", level: "info", message, method, issues, received });
    return decoded;
  }

  return { read, readIssue };
}

/** Writes an id as JSON text, exactly as it was received; `undefined` if it cannot be an id (RPC-04, RPC-05). */
function idText(id: unknown, text: string, path: readonly string[] = ["id"]): string | undefined {
  if (Number.isSafeInteger(id)) return String(id);
  if (typeof id === "number") return rawValue(text, path);
  return typeof id === "string" || id === null ? JSON.stringify(id) : undefined;
}
