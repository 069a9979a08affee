import { findMessages, splitMessages, requireObject, requireStart } from "@acp/core/internal";
import { type MessageValidator, type Transport, type TransportSink, UsageError } from "@acp/core";
import type { ValidationError } from "../runtime/report.ts";
import { callIn, Conversation, type Side, type StrictRules } from "./conversation.ts";
import { checkEnvelope, checkError, checkId, findSurplusMembers } from "./envelope.ts";
import type { Violations } from "./message-checks.ts";
import { isParams, type Params } from "./params.ts";

type Context = Parameters<MessageValidator>[1];

/** How many violations of a message are put into words. */
const describedViolations = 5;

const invalidRequest = { code: -32600, message: "Invalid request" };
const invalidParams = { code: -32602, message: "Invalid params" };

/** Options of a strict validator. */
export interface StrictOptions {
  /**
   * What becomes of a request with members beside `jsonrpc`, `id`, `method` and `params`: it is reported and delivered, or
   * refused with `-32600`. Some peers put the name of a class there. Default: `"report"`.
   */
  readonly surplusMembers?: "report" | "refuse" | undefined;
}

/** Checks messages between a connection and its transport. */
export class StrictTransport implements Transport {
  readonly #transport: Transport;
  readonly #context: Context;
  readonly #conversation: Conversation;
  readonly #version: number;
  readonly #own: Side;
  readonly #peer: Side;
  readonly #refusesSurplus: boolean;

  constructor(transport: Transport, rules: StrictRules, context: Context, options: StrictOptions | undefined) {
    requireStart(transport, "A strict validator takes a transport");
    requireObject(context, "A strict validator takes { role, report } second");
    this.#refusesSurplus = options?.surplusMembers === "refuse";
    this.#transport = transport;
    this.#context = context;
    this.#own = context.role;
    this.#peer = context.role === "client" ? "agent" : "client";
    this.#conversation = new Conversation(rules, this.#own === "client");
    this.#version = rules.version;
  }

  start(sink: TransportSink): void {
    this.#transport.start({
      message: (text) => {
        for (const part of splitMessages(text)) if (this.#receive(part)) sink.message(part);
      },
      issue: (issue) => sink.issue(issue),
      closed: (reason) => sink.closed(reason),
      sendQueueGrew: (waiting) => sink.sendQueueGrew?.(waiting),
    });
  }

  /** @throws {UsageError} for a message that breaks the protocol; nothing is sent then. */
  send(text: string, flush: "soon" | "later", isStringified?: boolean): void | Promise<void> {
    const message: unknown = JSON.parse(text);
    const call = isParams(message) ? callIn(message) : undefined;
    if (call === undefined) {
      if (isParams(message)) this.#answer(message);
      return this.#transport.send(text, flush, isStringified);
    }
    this.#refuseToSend(call.method, this.#conversation.misnamed(call));
    this.#refuseToSend(call.method, this.#conversation.misplaced(this.#own, call));
    const room = this.#transport.send(text, flush, isStringified);
    this.#conversation.record(this.#own, call);
    return room;
  }

  pause(): void {
    this.#transport.pause();
  }

  resume(): void {
    this.#transport.resume();
  }

  flush(): void | Promise<void> {
    return this.#transport.flush?.();
  }

  close(): Promise<void> {
    return this.#transport.close();
  }

  /** Whether the message may pass. A text that is no message may: the connection handles it. */
  #receive(text: string): boolean {
    const message = messageIn(text);
    if (!isParams(message) || message["jsonrpc"] !== "2.0") return true;
    const call = callIn(message);
    if (call === undefined) {
      this.#receiveAnswer(message);
      return true;
    }
    const { method } = call;
    const { id } = message;
    // The connection itself answers what is no request here.
    const misnamed = this.#conversation.misnamed(call);
    const surplus = findSurplusMembers(message);
    const malformed = [...checkId(message, this.#version), ...(this.#refusesSurplus ? surplus : [])];
    const isOfParams = misnamed.length + malformed.length === 0;
    const refusable = isOfParams ? this.#conversation.misplaced(this.#peer, call) : [...misnamed, ...malformed];
    const violations = this.#refusesSurplus ? refusable : [...refusable, ...surplus];
    // A client may speak a newer version, and finds out by the answer.
    const isRefused = refusable.length > 0 && misnamed.length === 0 && method !== "initialize" && this.#isEcho(id);
    if (violations.length > 0) this.#report(method, violations, message, isRefused);
    if (isRefused) {
      this.#refuse(id, isOfParams ? invalidParams : invalidRequest, refusable);
      return false;
    }
    this.#conversation.record(this.#peer, call);
    return true;
  }

  #receiveAnswer(message: Params): void {
    const { result } = message;
    const call = this.#conversation.pendingCall(this.#own, message["id"]);
    if (call === undefined) return;
    const malformed = checkEnvelope(message, this.#version);
    const isUnchecked = malformed.length > 0 || result === undefined || this.#conversation.isOlder(call.method, result);
    const violations = isUnchecked ? malformed : this.#conversation.checkResult(call, result);
    if (violations.length > 0) this.#report(call.method, violations, message, false);
    this.#conversation.recordAnswer(this.#own, call, result);
  }

  /** @throws {UsageError} for an answer that must not be sent. */
  #answer({ id, result, error }: Params): void {
    if (error !== undefined) this.#refuseToSend("An error answer", checkError(error));
    const call = this.#conversation.pendingCall(this.#peer, id);
    if (call === undefined) return;
    if (result !== undefined) {
      this.#refuseToSend(`The answer of ${call.method}`, this.#conversation.checkResult(call, result));
    }
    this.#conversation.recordAnswer(this.#peer, call, result);
  }

  /** Whether an id can be returned exactly: not an integer that was rounded when it was read. */
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
      // The connection has ended, and knows it.
    }
  }

  #report(method: string, violations: Violations, received: Params, isRefused: boolean): void {
    const fate = isRefused ? "it was refused" : "it was delivered nevertheless";
    const message = `A message of ${method} breaks the protocol: ${inWords(violations)}; ${fate}`;
    this.#context.report({ type: "violation", level: "warning", message, method, violations, received });
  }
}

/** The message of a text, also of a line that has something around it. */
function messageIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    const [span] = findMessages(text);
    return span && JSON.parse(text.slice(span.start, span.end));
  }
}

function inWords(violations: Violations): string {
  const words = violations
    .slice(0, describedViolations)
    .map(({ path, reason }: ValidationError) => (path === "" ? reason : `${path}: ${reason}`));
  return violations.length > describedViolations ? `${words.join("; ")}; and more` : words.join("; ");
}
