import { TimeoutError } from "@acp/core";

/** The part of a session that a supervisor needs. */
export interface SupervisedSession {
  readonly id: string;
  readonly signal: AbortSignal;
}

type Open = (params: object, options?: { readonly signal?: AbortSignal }) => Promise<SupervisedSession>;

/** The part of a connected agent that opens sessions, in any version. */
export interface OpeningAgent {
  readonly protocolVersion: number;
  readonly signal: AbortSignal;
  readonly capabilities: object;
}

interface Capabilities {
  readonly loadSession?: boolean;
  readonly sessionCapabilities?: { readonly resume?: object | null } | null;
}

interface Recorded {
  readonly session: SupervisedSession;
  readonly params: object;
}

/** A session that the new agent could not reopen. */
export interface LostSession {
  readonly sessionId: string;
  readonly reason: unknown;
}

/** How a session was opened again. */
export type Reopening = "resumed" | "loaded";

const openers = ["newSession", "loadSession", "resumeSession", "forkSession"] as const;

/** The open sessions of an agent, and the params that open them again. */
export class RecordedSessions {
  readonly #open = new Map<string, Recorded>();

  /** Records the sessions that are opened on an agent from now on. A session is forgotten when it ends before its agent. */
  watch(agent: OpeningAgent): void {
    const methods = agent as { [K in (typeof openers)[number]]?: Open };
    for (const name of openers) {
      const open = methods[name];
      if (open === undefined) continue;
      methods[name] = (params, options) => {
        const opening = open.call(agent, params, options);
        // Returns the same promise: the caller has to iterate the updates as soon as the session is open.
        opening.then(
          (session) => this.#record(agent, session, params),
          () => {},
        );
        return opening;
      };
    }
  }

  #record(agent: OpeningAgent, session: SupervisedSession, params: object): void {
    this.#open.set(session.id, { session, params });
    const onEnd = (): void => {
      // A session that ends because its agent has ended is opened again on the next one.
      if (!agent.signal.aborted && this.#open.get(session.id)?.session === session) this.#open.delete(session.id);
    };
    if (session.signal.aborted) onEnd();
    session.signal.addEventListener("abort", onEnd, { once: true });
  }

  get ids(): readonly string[] {
    return [...this.#open.keys()];
  }

  forget(id: string): void {
    this.#open.delete(id);
  }

  /**
   * Opens a session again on another agent: resumes it, or else loads it.
   *
   * @throws {TimeoutError} if that takes too long (phase `reopen`).
   * @throws {Error} if the agent can do neither.
   */
  async reopen(id: string, agent: OpeningAgent, milliseconds: number): Promise<[SupervisedSession, Reopening]> {
    const { resumeSession, loadSession } = agent as { resumeSession?: Open; loadSession?: Open };
    const { loadSession: loads, sessionCapabilities } = agent.capabilities as Capabilities;
    const resumes = agent.protocolVersion >= 2 || sessionCapabilities?.resume != null;
    const open = resumes ? resumeSession : loads === true ? loadSession : undefined;
    if (open === undefined) throw new Error("The agent advertises neither session/resume nor session/load");
    // The client has the history already, so the new agent need not replay it.
    const { replayFrom: _, ...params } = (this.#open.get(id)?.params ?? {}) as { readonly replayFrom?: unknown };
    const timeout = new AbortController();
    const message = `The agent did not open session ${id} again within ${milliseconds} ms`;
    const onTimeout = (): void => timeout.abort(new TimeoutError("reopen", milliseconds, message));
    const timer = milliseconds === Infinity ? undefined : setTimeout(onTimeout, milliseconds);
    try {
      const session = await open.call(agent, { ...params, sessionId: id }, { signal: timeout.signal });
      return [session, resumes ? "resumed" : "loaded"];
    } finally {
      clearTimeout(timer);
    }
  }
}
