import { type ClientConnector, ConnectionClosedError, type Diagnostic, TimeoutError } from "@acp/core";
import { describeError } from "@acp/core/internal";

import { LatestValue } from "./latest-value.ts";
import { type LostSession, RecordedSessions } from "./recorded-sessions.ts";
import type { RestartLimit } from "./restart-limit.ts";
import type { SpawnAgent, Spawned } from "./spawn-agent.ts";
import type {
  AgentLife,
  AgentSupervisor,
  SessionOf,
  Supervisable,
  SupervisableAgent,
  SuperviseAgentOptions,
} from "./agent-life.ts";

type Step = Extract<Diagnostic, { readonly type: "supervision" }>["step"];

/** Why an agent has ended, and the next agent if a login has started it already. */
interface LifeEnd<Connected> {
  readonly reason: unknown;
  readonly next?: Spawned<Connected>;
}

const asyncDispose: typeof Symbol.asyncDispose =
  Symbol.asyncDispose ?? (Symbol.for("Symbol.asyncDispose") as typeof Symbol.asyncDispose);

/** Starts an agent, watches it, and starts the next one. */
export class Supervisor<Connected extends Supervisable> implements AgentSupervisor<Connected> {
  declare readonly [Symbol.asyncDispose]: () => Promise<void>;
  readonly #spawn: SpawnAgent;
  readonly #client: ClientConnector<Connected>;
  readonly #options: SuperviseAgentOptions<SessionOf<Connected>>;
  readonly #limits: RestartLimit;
  readonly #reopenTimeout: number;
  readonly #lives = new LatestValue<AgentLife<Connected>>();
  readonly #sessions = new RecordedSessions();
  readonly #closing = new AbortController();
  readonly #running: Promise<void>;
  /** Ends the current agent. */
  #endCurrent: (reason: unknown) => void = () => {};

  constructor(
    spawn: SpawnAgent,
    client: ClientConnector<Connected>,
    options: SuperviseAgentOptions<SessionOf<Connected>>,
    limits: RestartLimit,
    reopenTimeout: number,
  ) {
    this[asyncDispose] = () => this.close();
    this.#spawn = spawn;
    this.#client = client;
    this.#options = options;
    this.#limits = limits;
    this.#reopenTimeout = reopenTimeout;
    const { signal } = options;
    const onAbort = (): void => void this.close();
    if (signal?.aborted === true) this.#closing.abort(signal.reason);
    signal?.addEventListener("abort", onAbort, { once: true });
    this.#running = this.#run().finally(() => signal?.removeEventListener("abort", onAbort));
  }

  get current(): AgentLife<Connected> | undefined {
    return this.#lives.value;
  }

  [Symbol.asyncIterator](): AsyncIterator<AgentLife<Connected>> {
    return this.#lives[Symbol.asyncIterator]();
  }

  async close(): Promise<void> {
    this.#closing.abort(new ConnectionClosedError("The supervisor of the agent was closed"));
    this.#endCurrent(this.#closing.signal.reason);
    await this.#running;
  }

  get #isClosed(): boolean {
    return this.#closing.signal.aborted;
  }

  async #run(): Promise<void> {
    let isFirst = true;
    let next: Spawned<Connected> | undefined;
    let reason: unknown;
    while (!this.#isClosed) {
      try {
        const started = next ?? (await this.#start());
        const end = await this.#superviseLife(started, reason);
        next = end.next;
        reason = end.reason;
      } catch (error) {
        if (this.#isClosed) break;
        if (isFirst) return this.#lives.end(error);
        next = undefined;
        reason = error;
        this.#report("warning", "start-failed", "The agent could not be started", { error });
      }
      isFirst = false;
      if (next === undefined && !this.#isClosed && !(await this.#waitForRestart(reason))) return;
    }
    this.#lives.end();
  }

  #start(): Promise<Spawned<Connected>> {
    return this.#spawn(this.#client, {
      ...this.#options,
      signal: this.#closing.signal,
      onDiagnostic: (diagnostic) => this.#onDiagnostic(diagnostic),
    });
  }

  #onDiagnostic(diagnostic: Diagnostic): void {
    // The turn rejects first: the agent is ended in a later microtask.
    if (diagnostic.type === "stalled" && diagnostic.step === "given-up") {
      this.#endCurrent(new TimeoutError("cancel", diagnostic.silence, diagnostic.message));
    }
    this.#emit(diagnostic);
  }

  /** Supervises one agent from its start to its end. */
  async #superviseLife(connected: Spawned<Connected>, reason: unknown): Promise<LifeEnd<Connected>> {
    const agent: SupervisableAgent = "agent" in connected ? connected.agent : connected;
    const end = agent.close.bind(agent);
    const ended = this.#watch(connected, agent);
    try {
      this.#sessions.watch(agent);
      const reopened = await Promise.race([this.#reopen(agent), ended.then(() => undefined)]);
      if (reopened !== undefined && !agent.signal.aborted && !this.#isClosed) {
        const { sessions, lost } = reopened;
        this.#lives.set({ agent: connected, sessions, lost, reason });
        if (reason !== undefined)
          this.#report("info", "restarted", `The agent was restarted, with ${sessions.size} sessions`);
      }
      const outcome = await ended;
      if (!this.#isClosed && outcome.next === undefined) {
        this.#report("warning", "ended", `The agent is ended: ${describeError(outcome.reason)}`, {
          error: outcome.reason,
        });
      }
      return outcome;
    } finally {
      this.#lives.clear();
      this.#endCurrent = () => {};
      await end();
    }
  }

  /** Resolves when the agent has ended, or has to be ended. */
  #watch(connected: Spawned<Connected>, agent: SupervisableAgent): Promise<LifeEnd<Connected>> {
    const spawned = agent as SupervisableAgent & { login(...args: readonly unknown[]): Promise<object> };
    const login = spawned.login.bind(spawned);
    let loggingIn: Promise<object | undefined> | undefined;
    const close = (): Promise<void> => this.close();
    Object.assign(agent, {
      close,
      [asyncDispose]: close,
      // A login in a terminal ends this agent, and starts another one.
      login: (...args: readonly unknown[]) => {
        const attempt = login(...args);
        loggingIn = attempt.catch(() => undefined);
        return attempt;
      },
    });
    return new Promise((resolve) => {
      this.#endCurrent = (reason) => resolve({ reason });
      void agent.closed.then(async () => {
        const { reason } = agent.signal;
        const next = await loggingIn;
        if (next === undefined || next === agent) return resolve({ reason });
        const successor = "agent" in connected ? { ...connected, agent: next } : next;
        // The login has created it as `connected` was created, so it has the same type.
        resolve({ reason, next: successor as unknown as Spawned<Connected> });
      });
    });
  }

  /** Opens the sessions of the previous agent on this one. */
  async #reopen(
    agent: SupervisableAgent,
  ): Promise<{ readonly sessions: Map<string, SessionOf<Connected>>; readonly lost: readonly LostSession[] }> {
    const sessions = new Map<string, SessionOf<Connected>>();
    const lost: LostSession[] = [];
    for (const sessionId of this.#sessions.ids) {
      try {
        const [session, how] = await this.#sessions.reopen(sessionId, agent, this.#reopenTimeout);
        // The type of the client determines the type of its sessions.
        const typed = session as unknown as SessionOf<Connected>;
        sessions.set(sessionId, typed);
        this.#notify(sessionId, typed);
        this.#report("info", `session-${how}`, `The new agent has ${how} session ${sessionId}`, { sessionId });
      } catch (error) {
        // The next agent may have it.
        if (agent.signal.aborted) break;
        this.#sessions.forget(sessionId);
        lost.push({ sessionId, reason: error });
        const message = `The new agent does not have session ${sessionId}: ${describeError(error)}`;
        this.#report("warning", "session-lost", message, { sessionId, error });
      }
    }
    return { sessions, lost };
  }

  #notify(sessionId: string, session: SessionOf<Connected>): void {
    try {
      this.#options.onReopened?.(session);
    } catch (error) {
      this.#report("error", "listener-failed", `onReopened failed: ${describeError(error)}`, { sessionId, error });
    }
  }

  /** Waits before a restart. Returns `false` if there were too many. */
  async #waitForRestart(reason: unknown): Promise<boolean> {
    const delay = this.#limits.next(performance.now());
    if (delay === undefined) {
      const { limit, within } = this.#limits;
      const message = `The agent was restarted ${limit} times within ${within} ms, and is not restarted again`;
      const error = new ConnectionClosedError(`${message}: ${describeError(reason)}`, { cause: reason });
      this.#report("error", "given-up", error.message, { error });
      this.#lives.end(error);
      return false;
    }
    this.#report("info", "restarting", `The agent is restarted in ${delay} ms`, { error: reason });
    const { signal } = this.#closing;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(done, delay);
      function done(): void {
        clearTimeout(timer);
        signal.removeEventListener("abort", done);
        resolve();
      }
      signal.addEventListener("abort", done);
    });
    return true;
  }

  #report(
    level: "info" | "warning" | "error",
    step: Step,
    message: string,
    more: { readonly sessionId?: string; readonly error?: unknown } = {},
  ): void {
    this.#emit({ type: "supervision", level, message, step, ...more });
  }

  /** Ignores a listener that throws or rejects: it must not end the supervision. */
  #emit(diagnostic: Diagnostic): void {
    const onDiagnostic = this.#options.onDiagnostic ?? this.#client.onDiagnostic;
    try {
      const outcome: unknown = onDiagnostic?.(diagnostic);
      if (outcome instanceof Promise) outcome.catch(() => {});
    } catch {
      // There is no further place to report to.
    }
  }
}
