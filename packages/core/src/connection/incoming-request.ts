import type { WireError } from "../errors.ts";
import { type Abortable, LazyAbort } from "./lazy-abort.ts";

/** A request from the peer, from its arrival to its one answer. */
export interface IncomingRequest extends Abortable {
  /** Its id as JSON text, exactly as it came (RPC-04). */
  readonly id: string;
  readonly method: string;
  /** Decoded. */
  readonly params: unknown;
  /** Aborts when the peer cancels the request (RCAN-02), or the connection ends. */
  readonly signal: AbortSignal;
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

class Incoming extends LazyAbort implements IncomingRequest {
  readonly id: string;
  readonly method: string;
  readonly params: unknown;
  answered = false;
  readonly #writer: AnswerWriter;

  constructor(id: string, method: string, params: unknown, writer: AnswerWriter) {
    super();
    this.id = id;
    this.method = method;
    this.params = params;
    this.#writer = writer;
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
