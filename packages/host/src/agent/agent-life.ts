import type { LostSession, OpeningAgent } from "./recorded-sessions.ts";
import type { RestartOptions } from "./restart-limit.ts";
import type { SpawnableAgent, SpawnAgentOptions, Spawned } from "./spawn-agent.ts";

/** The part of a connected agent that `superviseAgent` uses, in any version. */
export interface SupervisableAgent extends SpawnableAgent, OpeningAgent {
  readonly closed: Promise<void>;
  session(sessionId: string): object | undefined;
}

/** What `connect` of a client resolves with: an agent, or an agent with the version that it speaks. */
export type Supervisable = SupervisableAgent | { readonly version: number; readonly agent: SupervisableAgent };

/** The sessions of what `connect` of a client resolves with. */
export type SessionOf<Connected> = Connected extends { readonly version: number; readonly agent: infer Agent }
  ? SessionOf<Agent>
  : Connected extends { session(sessionId: string): infer Session }
    ? Exclude<Session, undefined>
    : never;

/** Options of `superviseAgent`. */
export interface SuperviseAgentOptions<Session = unknown> extends SpawnAgentOptions {
  /** How often, and how soon, the agent is started again. Default: five times in ten minutes. */
  readonly restarts?: RestartOptions | undefined;
  /** How long a new agent may take to open a session again, in milliseconds; `Infinity` for no limit. Default: 60,000. */
  readonly reopenTimeout?: number | undefined;
  /**
   * Called with each session right after a new agent has opened it again. Make its state here, or iterate its updates, if you
   * want the history that `session/load` sends. Default: nothing is called. What it throws is reported.
   */
  readonly onReopened?: ((session: Session) => void) | undefined;
  /** Closes the supervisor when it aborts. */
  readonly signal?: AbortSignal | undefined;
}

/** An agent from its start to its end. */
export interface AgentLife<Connected> {
  /** The agent, as `spawnAgent` returns it. Its `close()` closes the supervisor. */
  readonly agent: Spawned<Connected>;
  /** Sessions of the agent before it that were opened again, by their ids. No prompt was sent again. */
  readonly sessions: ReadonlyMap<string, SessionOf<Connected>>;
  /** Sessions of the agent before it that this one does not have. */
  readonly lost: readonly LostSession[];
  /** Why the agent before it has ended; `undefined` for the first one. */
  readonly reason: unknown;
}

/** An agent that is started again when it dies. */
export interface AgentSupervisor<Connected> extends AsyncIterable<AgentLife<Connected>> {
  /** The agent that runs; `undefined` while there is none. */
  readonly current: AgentLife<Connected> | undefined;
  /** Ends the agent and everything that it started, and every loop over the supervisor. */
  close(): Promise<void>;
  /** The same as `close()`, for `await using`. */
  [Symbol.asyncDispose](): Promise<void>;
}
