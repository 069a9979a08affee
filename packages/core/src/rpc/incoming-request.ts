import type { HandledRequest } from "@acp/schema";
import type { WireError } from "../base/errors.ts";
import { type Abortable, LazyAbort } from "../base/abort.ts";
import { readSessionId } from "./lanes.ts";

/** What a request has begun, where that is more than its handler. */
export interface Run {
  /** The request has aborted. */
  abort(reason: unknown): void;
  /** Its handler has returned. Returns what to answer. */
  succeed(result: unknown): unknown;
  /** Its handler has thrown. Returns a result to answer instead, if there is one. */
  fail(error: unknown): object | undefined;
}

/** A request from the peer, from its arrival to its one answer. */
export interface IncomingRequest extends Abortable {
  /** Its id as JSON text, exactly as it came (RPC-04). */
  readonly id: string;
  readonly method: string;
  /** Decoded. */
  readonly params: unknown;
  /** The session it is for. */
  readonly sessionId: string | undefined;
  /** What its role's table says of its method; nothing of an extension. */
  readonly entry: HandledRequest | undefined;
  /** Aborts when the peer cancels the request (RCAN-02), or the connection ends. */
  readonly signal: AbortSignal;
  /** Whether the answer is on its way; what comes later is ignored. */
  readonly answered: boolean;
  /** Told how the handler ends, and has the last word on the answer. */
  run: Run | undefined;
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
export class Incoming extends LazyAbort implements IncomingRequest {
  declare readonly id: string;
  declare readonly method: string;
  declare readonly params: unknown;
  declare readonly sessionId: string | undefined;
  declare readonly entry: HandledRequest | undefined;
  answered = false;
  run: Run | undefined;
  readonly #writer: AnswerWriter;

  constructor(id: string, method: string, params: unknown, entry: HandledRequest | undefined, writer: AnswerWriter) {
    super();
    this.id = id;
    this.method = method;
    this.params = params;
    this.sessionId = readSessionId(params);
    this.entry = entry;
    this.#writer = writer;
  }

  override abort(reason: unknown): void {
    super.abort(reason);
    this.run?.abort(reason);
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
