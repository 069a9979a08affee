import { immediate, isObject } from "@acp/core/internal";
import type { Forward, ProxyContext, ProxyMessage } from "@acp/proxy";

/** What stands between a client and an agent of another version. */
export interface BridgeSide {
  /** Handles a request or notification of the client. */
  fromClient(message: ProxyMessage, forward: Forward, context: ProxyContext): unknown;
  /** Handles a request or notification of the agent. */
  fromAgent(message: ProxyMessage, forward: Forward, context: ProxyContext): unknown;
  /** The connection has ended. */
  end(): void;
}

/** An object from JSON. */
export type Members = Readonly<Record<string, unknown>>;

/** The members of a value; none if it is no object. */
export function membersOf(value: unknown): Members {
  return isObject(value) ? value : {};
}

/** The session that params name. */
export function sessionIdOf(params: unknown): string {
  const { sessionId } = membersOf(params);
  return typeof sessionId === "string" ? sessionId : "";
}

/** How many sessions are remembered: an agent may name any. */
const maxSessions = 10_000;

/** The sessions of a connection by their ids. */
export class Sessions<Session> {
  readonly #sessions = new Map<string, Session>();
  readonly #create: (id: string) => Session;

  constructor(create: (id: string) => Session) {
    this.#create = create;
  }

  has(id: string): boolean {
    return this.#sessions.has(id);
  }

  /** The session with this id, made if need be. */
  get(id: string): Session {
    const known = this.#sessions.get(id);
    if (known !== undefined) return known;
    const made = this.#create(id);
    if (this.#sessions.size < maxSessions) this.#sessions.set(id, made);
    return made;
  }

  /** Forgets a session, and returns it if it was known. */
  take(id: string): Session | undefined {
    const known = this.#sessions.get(id);
    this.#sessions.delete(id);
    return known;
  }

  all(): Iterable<Session> {
    return this.#sessions.values();
  }
}

/**
 * Makes updates wait for answers: an update may arrive in one piece with the answer before it, which is only taken some
 * microtasks later.
 */
export class AwaitedAnswers {
  #count = 0;

  /** Waits for an answer that updates must not overtake. */
  async of<Answer>(answer: Promise<Answer>): Promise<Answer> {
    this.#count++;
    try {
      return await answer;
    } finally {
      this.#count--;
    }
  }

  /** Runs something once the answers that have arrived are taken. */
  after(run: () => unknown): unknown {
    if (this.#count === 0) return run();
    return new Promise<void>((resolve) => macrotask(resolve)).then(run);
  }
}

/** `setImmediate` has no delay: a history may have many updates. */
function macrotask(run: () => void): void {
  if (typeof immediate === "function") immediate(run);
  else setTimeout(run);
}
