import type { CalledRequest } from "@acp/schema";
import type { Abortable } from "../base/abort.ts";
import { RequestTable } from "./request-table.ts";

export interface CallOptions {
  /** Cancels the call: it rejects at once, and the peer gets `$/cancel_request` (RCAN-01). */
  readonly signal?: Abortable | undefined;
  /** Receives the id that the request was sent with. */
  readonly onSent?: (id: number) => void;
  /** Runs when a result is delivered, before anything that was received after it. */
  readonly onResult?: (result: unknown) => void;
  /** The same for an error. */
  readonly onError?: (error: unknown) => void;
  /** An answer that ends a turn was received; handlers may delay its delivery. */
  readonly onArrival?: () => void;
  /** The work that the call belongs to, such as a turn. */
  readonly owner?: object;
}

/** Runs when a result is delivered, before anything that was received after it. */
export type OnResult = (result: unknown, request: OutgoingRequest) => void;

/** The entry of a called method in the role's table; an extension has none. */
export type CalledEntry = Partial<CalledRequest> | undefined;

/** A request of this side that has no answer yet. */
export interface OutgoingRequest {
  readonly id: number;
  readonly method: string;
  /** When it was sent, by {@link Lanes.nextMoment}. */
  readonly sentAt: number;
  /** Its session. */
  readonly sessionId: string | undefined;
  readonly entry: CalledEntry;
  /** The work that it belongs to, such as a turn. */
  readonly owner: object | undefined;
  /** The options of the call. */
  readonly call?: { readonly onArrival?: () => void } | undefined;
  resolve(result: unknown): void;
  reject(error: unknown): void;
  /** The caller cancelled; a late answer is only reported. */
  abandoned: boolean;
  /** The questions that the peer asks for it are cancelled. */
  cancelsQuestions?: boolean;
}

function ignore(): void {}

/** The requests of this side that have no answer yet. */
export class OutgoingRequests {
  #pending = new RequestTable<OutgoingRequest>();
  #lastId = 0;
  #lastSentAt = 0;

  nextId(): number {
    return ++this.#lastId;
  }

  add(request: OutgoingRequest): void {
    this.#lastSentAt = request.sentAt;
    this.#pending.set(request);
  }

  get(id: unknown): OutgoingRequest | undefined {
    return typeof id === "number" ? this.#pending.get(id) : undefined;
  }

  /** Removes and returns the request with this id. */
  take(id: unknown): OutgoingRequest | undefined {
    return typeof id === "number" ? this.#pending.take(id) : undefined;
  }

  /** Drops the params and the caller; the rest can report an answer, which may never come. */
  strip(request: OutgoingRequest): void {
    if (this.get(request.id) !== request) return;
    this.#pending.set({ ...request, owner: undefined, call: undefined, resolve: ignore, reject: ignore });
  }

  /** The requests that fit and belong to one of these sessions or owners, in the order in which they were sent. */
  values(fits: (request: OutgoingRequest) => boolean, keys: readonly unknown[]): readonly OutgoingRequest[] {
    return this.#pending.values(fits, keys);
  }

  /** Whether `id` was used for a request that was answered. */
  wasAnswered(id: unknown): boolean {
    return typeof id === "number" && Number.isInteger(id) && id > 0 && id <= this.#lastId && this.get(id) === undefined;
  }

  /** Whether a request sent after `moment` is pending: any, or one that is for this session or for none. */
  isWaitingSince(moment: number, sessionId?: string): boolean {
    if (this.#lastSentAt <= moment) return false;
    const keys = sessionId === undefined ? undefined : ["", sessionId];
    return this.#pending.some(({ sentAt, abandoned }) => sentAt > moment && !abandoned, keys);
  }

  /** Removes and returns all requests. */
  drain(): readonly OutgoingRequest[] {
    const all = this.#pending.values();
    this.#pending = new RequestTable();
    return all;
  }
}
