import type { CalledRequest } from "@acp/schema";
import { ById } from "./by-id.ts";

/** What a role's table says of a method that it calls; nothing of an extension. */
export type CalledEntry = Partial<CalledRequest> | undefined;

/** A request of ours that has no answer yet. */
export interface OutgoingRequest {
  readonly id: number;
  readonly method: string;
  /** When it was sent, on the connection's {@link Sequence}. */
  readonly sentAt: number;
  /** The session it is for. */
  readonly sessionId: string | undefined;
  readonly entry: CalledEntry;
  /** What it is for, such as a turn. */
  readonly owner: object | undefined;
  /** What it was called with. */
  readonly call?: { readonly onArrival?: () => void } | undefined;
  resolve(result: unknown): void;
  reject(error: unknown): void;
  /** The caller has given up; the answer, when it comes, is only noted. */
  abandoned: boolean;
  /** Nobody is asked any more for what the peer needs for it. */
  withdrawn?: boolean;
}

function nobody(): void {}

/** All requests of one connection that wait for an answer. */
export class OutgoingRequests {
  #pending = new ById<OutgoingRequest>();
  #lastId = 0;
  #lastSentAt = 0;

  nextId(): number {
    return ++this.#lastId;
  }

  add(request: OutgoingRequest): void {
    this.#lastSentAt = request.sentAt;
    this.#pending.set(request);
  }

  /** The request this id belongs to, which then waits no more. */
  take(id: unknown): OutgoingRequest | undefined {
    return typeof id === "number" ? this.#pending.take(id) : undefined;
  }

  get(id: unknown): OutgoingRequest | undefined {
    return typeof id === "number" ? this.#pending.get(id) : undefined;
  }

  /** Keeps no more of a request than what its answer is noted with, which may never come: not its params, nor its caller. */
  strip(request: OutgoingRequest): void {
    if (this.get(request.id) !== request) return;
    this.#pending.set({ ...request, owner: undefined, call: undefined, resolve: nobody, reject: nobody });
  }

  values(): readonly OutgoingRequest[] {
    return this.#pending.values();
  }

  /** Whether `id` was used for a request whose answer has come. */
  wasAnswered(id: unknown): boolean {
    return Number.isInteger(id) && (id as number) > 0 && (id as number) <= this.#lastId && this.get(id) === undefined;
  }

  /** Whether one sent after `moment` waits: any one, or one that is for this session or for none. */
  isWaitingSince(moment: number, sessionId?: string): boolean {
    if (this.#lastSentAt <= moment) return false;
    return this.#pending.some((request) => {
      if (request.sentAt <= moment || request.abandoned) return false;
      return sessionId === undefined || request.sessionId === undefined || request.sessionId === sessionId;
    });
  }

  /** Takes all of them. */
  drain(): OutgoingRequest[] {
    const all = this.#pending.values();
    this.#pending = new ById();
    return all;
  }
}
