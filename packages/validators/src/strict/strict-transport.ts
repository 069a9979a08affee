import { type MessageValidator, type Transport, type TransportSink, UsageError } from "@acp/core";
import type { ValidationError } from "../runtime/report.ts";
import { checkEnvelope, checkError } from "./envelope.ts";
import type { MessageChecks, Violations } from "./message-checks.ts";
import type { MessageOrder } from "./message-order.ts";
import { isParams } from "./params.ts";

type Context = Parameters<MessageValidator>[1];
type Message = Readonly<Record<string, unknown>>;
type Key = string | undefined;

/** What one version of the protocol says. */
export interface StrictRules {
  readonly checks: MessageChecks;
  /**
   * Makes what watches the order of one connection. `mayCross`: what the agent says may have been sent before it read what
   * the client asked last.
   */
  readonly order: (mayCross: boolean) => MessageOrder;
  readonly version: 1 | 2;
}

/** A request that waits for its answer. */
interface Pending {
  readonly method: string;
  readonly params: Message;
}

/** How many of the things that are wrong with a message are put into words. */
const toldViolations = 5;

const invalidRequest = { code: -32600, message: "Invalid request" };
const invalidParams = { code: -32602, message: "Invalid params" };

/** Stands between a connection and its transport and checks what passes. */
export class StrictTransport implements Transport {
  readonly #transport: Transport;
  readonly #checks: MessageChecks;
  readonly #context: Context;
  readonly #order: MessageOrder;
  readonly #version: number;
  /** By {@link keyOf} of their ids. */
  readonly #ours = new Map<Key, Pending>();
  readonly #theirs = new Map<Key, Pending>();

  constructor(transport: Transport, { checks, order, version }: StrictRules, context: Context) {
    this.#transport = transport;
    this.#checks = checks;
    this.#context = context;
    this.#order = order(context.role === "client");
    this.#version = version;
  }

  start(sink: TransportSink): void {
    this.#transport.start({
      message: (text) => {
        if (this.#receive(text)) sink.message(text);
      },
      issue: (issue) => sink.issue(issue),
      closed: (reason) => sink.closed(reason),
      sendQueueGrew: (waiting) => sink.sendQueueGrew?.(waiting),
    });
  }

  /** @throws {UsageError} for a message that breaks the protocol; nothing is sent then. */
  send(text: string, flush: "soon" | "later", isStringified?: boolean): void | Promise<void> {
    const message: unknown = JSON.parse(text);
    if (!isParams(message)) return this.#transport.send(text, flush, isStringified);
    const { method, id } = message;
    const key = keyOf(id);
    if (typeof method !== "string") {
      this.#checkAnswer(this.#theirs.get(key), message);
      this.#theirs.delete(key);
      return this.#transport.send(text, flush, isStringified);
    }
    const params = paramsOf(message);
    this.#refuseToSend(method, this.#checks.method(method, id !== undefined));
    this.#refuseToSend(method, this.#violations(method, params, id !== undefined, this.#context.role === "agent"));
    const room = this.#transport.send(text, flush, isStringified);
    if (key !== undefined) this.#ours.set(key, { method, params });
    this.#note(method, params, this.#context.role === "agent");
    return room;
  }

  pause(): void {
    this.#transport.pause();
  }

  resume(): void {
    this.#transport.resume();
  }

  close(): Promise<void> {
    return this.#transport.close();
  }

  /** Whether the message may pass. What is no message at all may: the connection knows what to do with it. */
  #receive(text: string): boolean {
    let message: unknown;
    try {
      message = JSON.parse(text);
    } catch {
      return true;
    }
    if (!isParams(message) || message["jsonrpc"] !== "2.0") return true;
    const { method, id } = message;
    const key = keyOf(id);
    if (typeof method !== "string") {
      const pending = this.#ours.get(key);
      this.#ours.delete(key);
      if (pending !== undefined) this.#receiveAnswer(pending, message);
      return true;
    }
    const params = paramsOf(message);
    // The connection has an answer of its own for what is no request here.
    const misnamed = this.#checks.method(method, id !== undefined);
    const malformed = checkEnvelope(message, this.#version);
    const isOfParams = misnamed.length + malformed.length === 0;
    const violations = isOfParams
      ? this.#violations(method, params, id !== undefined, this.#context.role === "client")
      : [...misnamed, ...malformed];
    // A client may speak a newer version, which it finds out by being answered.
    const isRefused = violations.length > 0 && misnamed.length === 0 && method !== "initialize" && this.#isEcho(id);
    if (violations.length > 0) this.#report(method, violations, message, isRefused);
    if (isRefused) {
      this.#refuse(id, isOfParams ? invalidParams : invalidRequest, violations);
      return false;
    }
    if (key !== undefined) this.#theirs.set(key, { method, params });
    this.#note(method, params, this.#context.role === "client");
    return true;
  }

  #receiveAnswer({ method, params }: Pending, message: Message): void {
    const { result } = message;
    const malformed = checkEnvelope(message, this.#version);
    const isUnchecked = malformed.length > 0 || result === undefined || this.#isOlder(method, result);
    const violations = isUnchecked ? malformed : this.#checkResult(method, params, result);
    if (violations.length > 0) this.#report(method, violations, message, false);
    this.#order.answered(method, params, result);
  }

  #checkAnswer(pending: Pending | undefined, { result, error }: Message): void {
    if (error !== undefined) this.#refuseToSend("An error answer", checkError(error));
    if (pending === undefined) return;
    const { method, params } = pending;
    if (result !== undefined) this.#refuseToSend(`The answer of ${method}`, this.#checkResult(method, params, result));
    this.#order.answered(method, params, result);
  }

  #checkResult(method: string, params: Message, result: unknown): Violations {
    const found = this.#checks.result(method, result);
    return found.length > 0 ? found : (this.#order.checkResult?.(method, params) ?? []);
  }

  /** Whether it is for a version before this one, and has the shape of that: so the sides find out what both speak. */
  #isOlder(method: string, body: unknown): boolean {
    const version = method === "initialize" && isParams(body) ? body["protocolVersion"] : undefined;
    return typeof version === "number" && version >= 1 && version < this.#version;
  }

  #violations(method: string, params: Message, isRequest: boolean, isAgents: boolean): Violations {
    if (this.#isOlder(method, params)) return [];
    const found = isRequest ? this.#checks.request(method, params) : this.#checks.notification(method, params);
    if (found.length > 0) return found;
    return isAgents ? this.#order.check(method, params) : (this.#order.checkClient?.(method, params) ?? []);
  }

  #note(method: string, params: Message, isAgents: boolean): void {
    if (isAgents) this.#order.sentByAgent(method, params);
    else this.#order.askedByClient(method, params);
  }

  /** Whether an id can be sent back as it came: not so an integer that was rounded when it was read. */
  #isEcho(id: unknown): boolean {
    if (id === null) return this.#version === 1;
    return typeof id === "string" || (typeof id === "number" && (Number.isSafeInteger(id) || id % 1 !== 0));
  }

  #refuseToSend(subject: string, violations: Violations): void {
    if (violations.length > 0) throw new UsageError(`${subject}: ${inWords(violations)}`);
  }

  #refuse(id: unknown, kind: { readonly code: number; readonly message: string }, [first]: Violations): void {
    const message = [`${kind.message}:`, first?.path, first?.reason].filter(Boolean).join(" ");
    const error = { ...kind, message, data: first };
    try {
      void this.#transport.send(JSON.stringify({ jsonrpc: "2.0", id, error }), "soon");
    } catch {
      // The connection has ended meanwhile, and is told so.
    }
  }

  #report(method: string, violations: Violations, received: Message, isRefused: boolean): void {
    const fate = isRefused ? "it was refused" : "it was delivered all the same";
    const message = `A message of ${method} breaks the protocol: ${inWords(violations)}; ${fate}`;
    this.#context.report({ type: "violation", level: "warning", message, method, violations, received });
  }
}

/**
 * An id as JSON, since 1 and "1" are two; `undefined` where there is none. What else a peer may put there is no id, and
 * may be nested deeper than can be written.
 */
function keyOf(id: unknown): Key {
  return typeof id === "string" || typeof id === "number" || id === null ? JSON.stringify(id) : undefined;
}

/** Absent params count as empty, as everywhere. */
function paramsOf({ params }: Message): Message {
  return isParams(params) ? params : params === undefined ? {} : (params as Message);
}

function inWords(violations: Violations): string {
  const told = violations
    .slice(0, toldViolations)
    .map(({ path, reason }: ValidationError) => (path === "" ? reason : `${path}: ${reason}`));
  return violations.length > toldViolations ? `${told.join("; ")}; and more` : told.join("; ");
}
