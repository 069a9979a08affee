import type { FramingIssue } from "@acp/framing";
import {
  type Decoded,
  type Decoder,
  decode,
  formatIssue,
  formatPath,
  type HandledRequest,
  type Path,
} from "@acp/schema";
import type { DiagnosticListener } from "../diagnostics.ts";
import { ProtocolError, RequestError, type WireError } from "../errors.ts";
import { keepReceived } from "./as-received.ts";
import { described, isPrintable, reportInvalid, shownPath, shownValue } from "./invalid-message.ts";
import type { QueuedNotification } from "./lanes.ts";
import type { MethodIndex } from "./method-index.ts";
import type { OutgoingRequest, OutgoingRequests } from "./outgoing-requests.ts";
import { rawValue, recoverEnvelope } from "./raw-json.ts";
import { invalidParams, invalidRequest, methodNotFound, parseError, problemInError } from "./wire-errors.ts";

export interface ReaderOptions {
  readonly methods: MethodIndex;
  readonly outgoing: OutgoingRequests;
  readonly report: DiagnosticListener;
  readonly answersNoise: boolean;
  /** Throws for a text that is no JSON. */
  readonly parse: (text: string) => unknown;
  readonly shortcut: Shortcut | undefined;
  handles(kind: "request" | "notification", method: string): boolean;
}

/** A way past parsing, decoding and checking, for a notification that comes in great numbers and always has a handler. */
export interface Shortcut {
  readonly method: string;
  /** Its params as its decoder would give them; `undefined` for every text that may break a rule, or be another message. */
  read(text: string): object | undefined;
}

/** Where whole, decoded messages go. Ids are JSON texts. */
export interface ReaderSink {
  request(id: string, method: string, params: unknown, entry: HandledRequest | undefined): void;
  notification(notification: QueuedNotification): void;
  /** The same for one that waits for nothing. */
  handle(notification: QueuedNotification): unknown;
  cancel(id: string): void;
  isInFlight(id: string): boolean;
  /** Sends an error answer. */
  refuse(id: string, error: WireError): void;
  /** Delivers an answer to one of our requests, now or when its turn has come. */
  settle(request: OutgoingRequest, deliver: () => void): void;
}

type Received = Record<string, unknown>;

/** How many of the places in which a message was mended are put into words. */
const toldIssues = 5;

// Shared, since every message that is decoded has one.
const inParams: Path = [];
const inResult: Path = ["result"];

/** Tells messages apart, decodes them, and answers those that break the protocol. */
export class Reader {
  readonly #options: ReaderOptions;
  readonly #sink: ReaderSink;

  constructor(options: ReaderOptions, sink: ReaderSink) {
    this.#options = options;
    this.#sink = sink;
  }

  read(text: string): void {
    const { shortcut } = this.#options;
    const known = shortcut?.read(text);
    if (shortcut !== undefined && known !== undefined) {
      return this.#sink.notification({ method: shortcut.method, params: known, size: text.length, isPlain: true });
    }
    let message: unknown;
    try {
      message = this.#options.parse(text);
    } catch {
      return this.#noise(text, "it is no JSON", this.#options.answersNoise ? parseError() : undefined);
    }
    if (!isObject(message)) return this.#readNonObject(message, text);
    if (message["result"] !== undefined || message["error"] !== undefined) return this.#readResponse(message);
    const { jsonrpc, method, id } = message;
    if (jsonrpc !== "2.0" || typeof method !== "string") return this.#readMalformed(message, text);
    const name = this.#options.methods.nameOf(method);
    if (id === undefined) this.#readNotification(name, message, text);
    else this.#readRequest(name, message, text);
  }

  /** A message that the framing had to leave out still settles the request it belongs to. */
  readIssue(issue: FramingIssue): void {
    this.#options.report({ type: "framing", level: "warning", message: issue.message, issue });
    const envelope = recoverEnvelope(issue.head ?? "", issue.tail ?? "");
    const { method } = envelope;
    const isBadText = issue.code === "invalid-utf8";
    // With a byte replaced it is not the id that came.
    const id = isBadText && envelope.id?.includes("\ufffd") ? undefined : envelope.id;
    const isNotification = method !== undefined && envelope.id === undefined;
    if (envelope.isResponse || (id !== undefined && method === undefined)) {
      const pending = this.#options.outgoing.take(id === undefined ? undefined : JSON.parse(id));
      if (pending !== undefined) this.#reject(pending, [], `the answer was left out: ${issue.message}`);
    } else if (id !== undefined && method !== undefined && envelope.isJsonRpc) {
      this.#sink.refuse(id, invalidRequest(issue.message));
    } else if (isBadText && !isNotification && this.#options.answersNoise) {
      this.#sink.refuse("null", parseError());
    }
  }

  #readRequest(method: string, message: Received, text: string): void {
    const id = idText(message["id"], text);
    const params = message["params"];
    if (id === undefined) return this.#invalid(method, ["id"], "expected a string, a number or null", message, "null");
    if (id !== "null" && this.#sink.isInFlight(id)) {
      return this.#invalid(method, ["id"], "is in use by a request that has no answer yet", message, id);
    }
    const entry = this.#options.methods.handledRequest(method);
    // A notification of the protocol is none of its requests: its params would go to the handler as they are.
    const exists = entry !== undefined || this.#options.methods.isOpen(method);
    if (!exists || !this.#options.handles("request", method)) {
      this.#options.report({
        type: "unknown-request",
        level: "info",
        message: `There is no handler for the request ${described(method)}`,
        method,
      });
      return this.#sink.refuse(id, methodNotFound(isPrintable(method) ? method : undefined));
    }
    if (entry === undefined) return this.#sink.request(id, method, params, entry);
    const decoded = this.#decode(entry.params, method, params === undefined ? {} : params, message);
    if (decoded.ok) return this.#sink.request(id, method, decoded.value, entry);
    this.#sink.refuse(id, invalidParams(formatPath(shownPath(decoded.path)), decoded.reason));
  }

  #readNotification(method: string, message: Received, text: string): void {
    const { methods } = this.#options;
    const entry = methods.handledNotification(method);
    if (method === "$/cancel_request" && !methods.isOpen(method)) return this.#readCancel(message, text);
    const exists = entry !== undefined || methods.isOpen(method);
    if (!exists || !this.#options.handles("notification", method)) {
      return this.#options.report({
        type: "unknown-notification",
        level: "info",
        message: `There is no handler for the notification ${described(method)}`,
        method,
        received: message,
      });
    }
    const params = message["params"];
    if (entry === undefined) return this.#notify(method, params, text.length);
    const decoded = this.#decode(entry.params, method, params === undefined ? {} : params, message);
    if (decoded.ok) this.#notify(method, decoded.value, text.length);
  }

  #notify(method: string, params: unknown, size: number): void {
    const notification = { method, params, size, isPlain: false };
    if (this.#options.methods.isUnqueued(method)) void this.#sink.handle(notification);
    else this.#sink.notification(notification);
  }

  #readCancel(message: Received, text: string): void {
    const params = message["params"];
    const id = isObject(params) ? idText(params["requestId"], text, ["params", "requestId"]) : undefined;
    if (id !== undefined) this.#sink.cancel(id);
    else this.#invalid("$/cancel_request", ["params", "requestId"], "expected the id of a request", message);
  }

  #readResponse(message: Received): void {
    const { outgoing, report } = this.#options;
    const { id, result, error, jsonrpc, method } = message;
    const pending = outgoing.take(id);
    if (pending === undefined) {
      const seen = outgoing.wasAnswered(id) ? "a second answer to a request" : "an answer to no request of ours";
      const told = `The peer sent ${seen}`;
      return report({ type: "unexpected-response", level: "warning", message: told, received: message });
    }
    if (pending.abandoned) {
      const told = `The answer of ${pending.method} came after its caller had given up`;
      return report({ type: "late-response", level: "info", message: told, method: pending.method, received: message });
    }
    if (jsonrpc !== "2.0") return this.#reject(pending, ["jsonrpc"], 'expected "2.0"', message);
    if (method !== undefined) return this.#reject(pending, ["method"], "does not belong in an answer", message);
    if (error === undefined) return this.#readResult(pending, result, message);
    if (error === null && result !== undefined) {
      this.#tellNull(pending.method, "error", "a result");
      return this.#readResult(pending, result, message);
    }
    if (result != null) return this.#reject(pending, ["error"], "stands beside a result", message);
    const problem = problemInError(error);
    if (problem !== undefined) return this.#reject(pending, problem.path, problem.reason, message);
    if (result === null) this.#tellNull(pending.method, "result", "an error");
    this.#sink.settle(pending, () => pending.reject(new RequestError(error as WireError, { method: pending.method })));
  }

  /** Many serialisers write the member that is not there as null, which cannot be misread. */
  #tellNull(method: string, member: string, beside: string): void {
    const path = [member];
    const reason = `is null beside ${beside}`;
    const message = `The answer of ${method} breaks a rule (${formatIssue({ path, reason })}); it is read without it`;
    this.#options.report({ type: "rule", level: "warning", message, method, rule: "RPC-02", path, reason });
  }

  #readResult(pending: OutgoingRequest, result: unknown, message: Received): void {
    const decoder = pending.entry?.result;
    if (decoder === undefined) return this.#sink.settle(pending, () => pending.resolve(result));
    // Older texts of the protocol answer `null` where there is nothing to say (SESS-08, FS-06).
    const decoded = this.#decode(decoder, pending.method, result === null ? {} : result, message, inResult);
    if (decoded.ok) return this.#sink.settle(pending, () => pending.resolve(decoded.value));
    const { path, reason } = decoded;
    this.#reject(pending, ["result", ...path], reason + shownValue(result, path, reason));
  }

  /** An object that is neither a request nor a notification nor an answer. */
  #readMalformed(message: Received, text: string): void {
    const { jsonrpc, method, id } = message;
    const pending = method === undefined ? this.#options.outgoing.take(id) : undefined;
    if (pending !== undefined) return this.#reject(pending, [], "has neither result nor error", message);
    const isJsonRpc = jsonrpc === "2.0";
    if (!isJsonRpc && !this.#options.answersNoise) return this.#noise(text, "it is no JSON-RPC message", undefined);
    const path = isJsonRpc ? ["method"] : ["jsonrpc"];
    const reason = isJsonRpc ? "expected a string" : 'expected "2.0"';
    // A malformed notification is never answered (RPC-03).
    const answerTo = id === undefined && method !== undefined ? undefined : (idText(id, text) ?? "null");
    this.#invalid(typeof method === "string" ? method : undefined, path, reason, message, answerTo);
  }

  #readNonObject(message: unknown, text: string): void {
    const isBatch = Array.isArray(message);
    const answers = isBatch ? this.#isAnsweredBatch(message) : this.#options.answersNoise;
    const reason = isBatch ? "batches are not part of the protocol" : "a message is an object";
    this.#noise(text, reason, answers ? invalidRequest(reason) : undefined);
  }

  /** A batch in which nothing asks for an answer has none, as each of its parts alone (RPC-03). */
  #isAnsweredBatch(parts: readonly unknown[]): boolean {
    const { answersNoise } = this.#options;
    if (parts.length === 0) return answersNoise;
    return parts.some((part) => {
      if (!isObject(part)) return answersNoise;
      if (part["result"] !== undefined || part["error"] !== undefined) return false;
      const isAsking = part["id"] !== undefined || part["method"] === undefined;
      return isAsking && (answersNoise || part["jsonrpc"] === "2.0");
    });
  }

  #noise(text: string, why: string, answer: WireError | undefined): void {
    const message = `The peer sent a text that is not a message: ${why}`;
    this.#options.report({ type: "noise", level: "warning", message, received: text });
    if (answer !== undefined) this.#sink.refuse("null", answer);
  }

  #reject(pending: OutgoingRequest, path: Path, reason: string, received?: Received): void {
    if (received !== undefined) this.#reportInvalid(pending.method, path, reason, received);
    if (pending.abandoned) return;
    const error = new ProtocolError(pending.method, path, reason, received?.["error"]);
    this.#sink.settle(pending, () => pending.reject(error));
  }

  #invalid(
    method: string | undefined,
    path: readonly string[],
    reason: string,
    received: Received,
    answerTo?: string,
  ): void {
    this.#reportInvalid(method, path, reason, received);
    if (answerTo !== undefined) {
      this.#sink.refuse(answerTo, invalidRequest(formatIssue({ path, reason })));
    }
  }

  #reportInvalid(method: string | undefined, path: Path, reason: string, received: unknown): void {
    reportInvalid(this.#options.report, method, path, reason, received);
  }

  /** `at` is where the value stands, if it is not the params. */
  #decode<T>(decoder: Decoder<T>, method: string, value: unknown, received: Received, at = inParams): Decoded<T> {
    const decoded = decode(decoder, value);
    // Only objects are replaced, by copies.
    if (decoded.ok && decoded.value !== value) keepReceived(decoded.value as Received, value as Received);
    if (!decoded.ok) this.#reportInvalid(method, [...at, ...decoded.path], decoded.reason, received);
    else if (decoded.issues.length > 0) {
      const { issues } = decoded;
      const told = issues
        .slice(0, toldIssues)
        .map(({ path, reason }) => formatIssue({ path: shownPath(path), reason }));
      if (issues.length > toldIssues) told.push("and more");
      const message = `A message of ${method} was read in part: ${told.join("; ")}`;
      this.#options.report({ type: "tolerated", level: "info", message, method, issues, received });
    }
    return decoded;
  }
}

function isObject(value: unknown): value is Received {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** An id as JSON text, exactly as it came; `undefined` if it cannot be one (RPC-04, RPC-05). */
function idText(id: unknown, text: string, path: readonly string[] = ["id"]): string | undefined {
  if (Number.isSafeInteger(id)) return String(id);
  if (typeof id === "number") return rawValue(text, path);
  return typeof id === "string" || id === null ? JSON.stringify(id) : undefined;
}
