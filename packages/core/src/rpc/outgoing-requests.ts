import type { CalledRequest } from "@acp/schema";
import { RequestTable } from "./request-table.ts";

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
  /** Questions that the peer asks for it are answered as cancelled. */
  cancelsQuestions?: boolean;
}

function nobody(): void {}

/** All requests of one connection that wait for an answer. */
export interface OutgoingRequests {
  nextId(): number;
  add(request: OutgoingRequest): void;
  /** The request this id belongs to, which then waits no more. */
  take(id: unknown): OutgoingRequest | undefined;
  get(id: unknown): OutgoingRequest | undefined;
  /** Keeps no more of a request than what its answer is noted with, which may never come: not its params, nor its caller. */
  strip(request: OutgoingRequest): void;
  /** Those that fit and are of one of these sessions or owners, in the order in which they were sent. */
  values(fits: (request: OutgoingRequest) => boolean, keys: readonly unknown[]): readonly OutgoingRequest[];
  /** Whether `id` was used for a request whose answer has come. */
  wasAnswered(id: unknown): boolean;
  /** Whether one sent after `moment` waits: any one, or one that is for this session or for none. */
  isWaitingSince(moment: number, sessionId?: string): boolean;
  /** Takes all of them. */
  drain(): OutgoingRequest[];
}

export function createOutgoingRequests(): OutgoingRequests {
  let pending = new RequestTable<OutgoingRequest>();
  let lastId = 0;
  let lastSentAt = 0;

  function get(id: unknown): OutgoingRequest | undefined {
    return typeof id === "number" ? pending.get(id) : undefined;
  }

  return {
    nextId: () => ++lastId,
    add(request) {
      lastSentAt = request.sentAt;
      pending.set(request);
    },
    take: (id) => (typeof id === "number" ? pending.take(id) : undefined),
    get,
    strip(request) {
      if (get(request.id) !== request) return;
      pending.set({ ...request, owner: undefined, call: undefined, resolve: nobody, reject: nobody });
    },
    values: (fits, keys) => pending.values(fits, keys),
    wasAnswered: (id) =>
      Number.isInteger(id) && (id as number) > 0 && (id as number) <= lastId && get(id) === undefined,
    isWaitingSince(moment, sessionId) {
      if (lastSentAt <= moment) return false;
      return pending.some((request) => {
        if (request.sentAt <= moment || request.abandoned) return false;
        return sessionId === undefined || request.sessionId === undefined || request.sessionId === sessionId;
      });
    },
    drain() {
      const all = pending.values();
      pending = new RequestTable();
      return all;
    },
  };
}
