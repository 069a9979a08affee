import type { LostSession, OpeningAgent } from "./recorded-sessions.ts";
import type { RestartOptions } from "./restart-limit.ts";
import type { SpawnableAgent, SpawnAgentOptions, Spawned } from "./spawn-agent.ts";

/** The part of a connected agent that `superviseAgent` uses, in any protocol version. */
export interface SupervisableAgent extends SpawnableAgent, OpeningAgent {
  readonly closed: Promise<void>;
  session(sessionId: string): object | undefined;
}

/** The result of a client's `connect`: an agent, or an agent and the version that it speaks. */
export type Supervisable = SupervisableAgent | { readonly version: number; readonly agent: SupervisableAgent };

/** The session type of the result of a client's `connect`. */
export type SessionOf<Connected> = Connected extends { readonly version: number; readonly agent: infer Agent }
  ? SessionOf<Agent>
  : Connected extends { session(sessionId: string): infer Session }
    ? Exclude<Session, undefined>
    : never;

/** Options of `superviseAgent`. */
export interface SuperviseAgentOptions<Session = unknown> extends SpawnAgentOptions {
  /** How often and how soon to restart the agent. Default: five times in ten minutes. */
  readonly restarts?: RestartOptions | undefined;
  /** How long a new agent may take to reopen a session, in milliseconds. Default: 60,000. `Infinity` for no limit. */
  readonly reopenTimeout?: number | undefined;
  /**
   * Called with each session right after a new agent has reopened it. To get the history that `session/load` replays,
   * create the session's state or iterate its updates here. Errors that it throws are reported as diagnostics. Default:
   * none.
   */
  readonly onReopened?: ((session: Session) => void) | undefined;
  /** Abort it to close the supervisor. */
  readonly signal?: AbortSignal | undefined;
}

/** One agent process, from its start to its end. */
export interface AgentLife<Connected> {
  /** The agent, as `spawnAgent` returns it. Its `close()` closes the supervisor. */
  readonly agent: Spawned<Connected>;
  /** The previous agent's sessions that this agent has reopened, by id. The supervisor has not resent any prompt. */
  readonly sessions: ReadonlyMap<string, SessionOf<Connected>>;
  /** The previous agent's sessions that this agent could not reopen. */
  readonly lost: readonly LostSession[];
  /** Why the previous agent ended; `undefined` for the first agent. */
  readonly reason: unknown;
}

/** Restarts an agent when it dies. */
export interface AgentSupervisor<Connected> extends AsyncIterable<AgentLife<Connected>> {
  /** The running agent; `undefined` while there is none. */
  readonly current: AgentLife<Connected> | undefined;
  /** Ends the agent, everything that it started, and every loop over the supervisor. */
  close(): Promise<void>;
  /** The same as `close()`, for `await using`. */
  [Symbol.asyncDispose](): Promise<void>;
}
