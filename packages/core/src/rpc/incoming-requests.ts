import type { HandledRequest } from "@acp/schema";
import { AbortReason, LazyAbort } from "../base/abort.ts";
import type { DiagnosticListener } from "../base/diagnostics.ts";
import type { ErrorCode, WireError } from "../base/errors.ts";
import { type CheckedIncomingLimits, incomingLimits } from "./incoming-limits.ts";
import { readSessionId } from "./request-table.ts";
import { RequestTable } from "./request-table.ts";
import { requestCancelled } from "./wire-errors.ts";
import type { Writer } from "./writer.ts";

/** The work of a request beyond its handler, such as a turn. */
export interface Run {
  /** The request was aborted. */
  abort(reason: unknown): void;
  /** The handler has returned. Returns the result to answer with. */
  succeed(result: unknown): unknown;
  /** The handler has thrown. Returns a result to answer with instead of an error, if there is one. */
  fail(error: unknown): object | undefined;
}

/** A request from the peer, from its arrival to its one answer. */
export class IncomingRequest extends LazyAbort {
  /** Its id as JSON text, exactly as it was received (RPC-04). */
  declare readonly id: string;
  declare readonly method: string;
  /** Decoded. */
  declare readonly params: unknown;
  /** The session it belongs to. */
  declare readonly sessionId: string | undefined;
  /** The entry of its method in the role's table; an extension has none. */
  declare readonly entry: HandledRequest | undefined;
  /** Its length on the wire, in characters. */
  declare readonly size: number;
  /** Whether it was answered; later answers are ignored. */
  answered = false;
  /** Learns how the handler ended, and may replace the response. */
  run: Run | undefined;
  readonly #requests: IncomingRequests;

  constructor(
    requests: IncomingRequests,
    id: string,
    method: string,
    params: unknown,
    entry: HandledRequest | undefined,
    size: number,
  ) {
    super();
    this.id = id;
    this.method = method;
    this.params = params;
    this.sessionId = readSessionId(params);
    this.entry = entry;
    this.size = size;
    this.#requests = requests;
  }

  /** Aborts its signal: the peer has cancelled it (RCAN-02), or the connection ends. */
  override abort(reason: unknown): void {
    super.abort(reason);
    this.run?.abort(reason);
  }

  /** Answers with a result, unless it was answered before. */
  answer(result: unknown): void {
    if (this.answered) return;
    this.answered = true;
    this.#requests.sendResult(this, result);
  }

  /** Answers with an error, unless it was answered before. */
  fail(error: WireError): void {
    if (this.answered) return;
    this.answered = true;
    this.#requests.sendError(this, error);
  }
}

/** The peer's requests that have no answer yet. */
export class IncomingRequests {
  readonly #writer: Pick<Writer, "result" | "failure">;
  readonly #report: DiagnosticListener;
  readonly #limits: CheckedIncomingLimits;
  readonly #pending = new RequestTable<IncomingRequest>();
  /** How many there are. The table has only one of those with the id `null`. */
  #count = 0;
  /** How large they are together. */
  #size = 0;
  /** How many were refused since none was pending. */
  #refused = 0;
  #onIdle = (): void => {};

  constructor(
    writer: Pick<Writer, "result" | "failure">,
    report: DiagnosticListener,
    limits: CheckedIncomingLimits = incomingLimits({}),
  ) {
    this.#writer = writer;
    this.#report = report;
    this.#limits = limits;
  }

  add(id: string, method: string, params: unknown, entry: HandledRequest | undefined, size: number): IncomingRequest {
    const request = new IncomingRequest(this, id, method, params, entry, size);
    this.#pending.set(request);
    this.#count++;
    this.#size += size;
    return request;
  }

  /**
   * Refuses a request of this size if there is no room for it. Reports the first, and each time that their number doubles.
   * Returns whether it was refused.
   */
  refuse(id: string, size: number): boolean {
    const limits = this.#limits;
    const isFull = this.#count >= limits[0][1];
    if (!isFull && (this.#size + size <= limits[1][1] || this.#count === 0)) return false;
    const [option, limit] = limits[isFull ? 0 : 1];
    const data = { option, limit };
    const message = `Too many requests without an answer: the limit is ${limit} (${option})`;
    this.#writer.failure(id, { code: -32005 satisfies typeof ErrorCode.tooManyRequests, message, data });
    const count = ++this.#refused;
    if ((count & (count - 1)) === 0) this.#report({ type: "over-limit", level: "warning", message, ...data, count });
    return true;
  }

  has(id: string): boolean {
    return this.#pending.get(id) !== undefined;
  }

  /** Aborts the request with this id, if it is pending. */
  cancel(id: string): void {
    this.#pending.get(id)?.abort(new AbortReason("The peer cancelled the request"));
  }

  /** The requests that fit, ordered by id if ids are numbers. With `keys`, only those of these sessions; "" is for no session. */
  values(fits?: (request: IncomingRequest) => boolean, keys?: readonly unknown[]): readonly IncomingRequest[] {
    return this.#pending.values(fits, keys);
  }

  abortAll(reason: Error): void {
    for (const request of this.values()) request.abort(reason);
  }

  /** Waits `grace` milliseconds for handlers to answer, and answers the remaining requests with an error. */
  async settleWithin(grace: number): Promise<void> {
    if (this.#pending.size > 0 && grace > 0) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, grace);
        this.#onIdle = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    } else {
      // A handler that ends as soon as its signal aborts still answers.
      await Promise.resolve();
    }
    for (const request of this.values()) request.fail(requestCancelled());
  }

  sendResult(request: IncomingRequest, result: unknown): void {
    this.#writer.result(request, result);
    this.#remove(request);
  }

  sendError(request: IncomingRequest, error: WireError): void {
    this.#writer.failure(request.id, error);
    this.#remove(request);
  }

  #remove(request: IncomingRequest): void {
    // A second request with the id `null` may have replaced it.
    if (this.#pending.get(request.id) === request) this.#pending.take(request.id);
    this.#size -= request.size;
    if (--this.#count === 0) this.#refused = 0;
    if (this.#pending.size === 0) this.#onIdle();
  }
}
