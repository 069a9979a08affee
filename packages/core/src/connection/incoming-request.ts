import type { WireError } from "../errors.ts";

/** A request from the peer, from its arrival to its one answer. */
export interface IncomingRequest {
  /** Its id as JSON text, exactly as it came (RPC-04). */
  readonly id: string;
  readonly method: string;
  /** Decoded. */
  readonly params: unknown;
  /** Aborts when the peer cancels the request (RCAN-02), or the connection ends. */
  readonly signal: AbortSignal;
  /** Whether {@link abort} was called. */
  readonly aborted: boolean;
  /** Whether the answer is on its way; what comes later is ignored. */
  readonly answered: boolean;
  abort(reason: unknown): void;
  /** Answers with a result, unless it is answered already. */
  answer(result: unknown): void;
  /** Answers with an error, unless it is answered already. */
  fail(error: WireError): void;
}

/** Writes the answer of a request. */
export interface AnswerWriter {
  result(request: IncomingRequest, result: unknown): void;
  error(request: IncomingRequest, error: WireError): void;
}

/** A request that answers through `writer`, once. */
export function createIncomingRequest(
  id: string,
  method: string,
  params: unknown,
  writer: AnswerWriter,
): IncomingRequest {
  return new Incoming(id, method, params, writer);
}

class Incoming implements IncomingRequest {
  readonly id: string;
  readonly method: string;
  readonly params: unknown;
  answered = false;
  readonly #writer: AnswerWriter;
  // Made on first use: most requests are never cancelled, and most handlers never look.
  #controller: AbortController | undefined;
  #abort: { readonly reason: unknown } | undefined;

  constructor(id: string, method: string, params: unknown, writer: AnswerWriter) {
    this.id = id;
    this.method = method;
    this.params = params;
    this.#writer = writer;
  }

  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      if (this.#abort !== undefined) this.#controller.abort(this.#abort.reason);
    }
    return this.#controller.signal;
  }

  get aborted(): boolean {
    return this.#abort !== undefined;
  }

  abort(reason: unknown): void {
    if (this.#abort !== undefined) return;
    this.#abort = { reason };
    this.#controller?.abort(reason);
  }

  answer(result: unknown): void {
    if (this.answered) return;
    this.answered = true;
    this.#writer.result(this, result);
  }

  fail(error: WireError): void {
    if (this.answered) return;
    this.answered = true;
    this.#writer.error(this, error);
  }
}
