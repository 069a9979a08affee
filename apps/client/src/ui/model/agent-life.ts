import { ProgramFailure } from "../../cli/exit.ts";
import type { Agent, Login } from "../../protocol/agent.ts";
import type { ClientEvents } from "../../protocol/client-events.ts";
import type { Failure, FailureContext } from "../../protocol/failure.ts";
import { LateMessages } from "../../protocol/late-messages.ts";
import type { ShellRun } from "../../protocol/user-shell.ts";
import type { AgentConnection } from "../../agents/agent-connection.ts";
import type { AgentState } from "../chat-state.ts";
import type * as AgentSideModule from "./agent-side.ts";
import type { UiOptions } from "../../chat/chat-options.ts";

type AgentSide = typeof AgentSideModule;

/** What the life of an agent needs from the program around it. */
export interface LifeContext {
  readonly options: UiOptions;
  /** What the agent is called until it says so itself. */
  readonly name: string;
  readonly events: ClientEvents;
  /** Ends all waiting. */
  readonly quit: AbortSignal;
  /** Ends an agent that does not end by itself. */
  readonly kill: AbortSignal;
  /** {@link AgentLife.state} is another one. */
  changed(): void;
  /** The agent has ended by itself, and nobody has asked for that. */
  died(reason: unknown): void;
  /** A detail for `--verbose`. */
  detail(line: string): void;
  /** How many questions the user was asked so far. */
  asked(): number;
  /** Lends the terminal to a program of the agent. */
  lendTerminal<Result>(run: () => Promise<Result>): Promise<Result>;
}

/** The agent, which may die, start again, and be another process after a login (AUTH-14). */
export class AgentLife {
  /** What was described last: why something failed. */
  lastFailure: Failure | undefined;
  /** Hears what the agent says while it is closed. */
  readonly late: LateMessages = new LateMessages();
  readonly #context: LifeContext;
  readonly #side: Promise<AgentSide> = import("./agent-side.ts");
  #agent: Agent | undefined;
  #status: AgentState["status"] = "starting";
  #state: AgentState | undefined;
  #connection: AgentConnection | undefined;
  #starting: Promise<Agent> | undefined;
  /** It ends because this program wants it to. */
  #isExpectedToEnd = false;

  constructor(context: LifeContext) {
    this.#context = context;
    // Reported by whoever waits for it.
    this.#side.catch(() => {});
  }

  /** What is shown of it: the same object until it changes. */
  get state(): AgentState {
    this.#state ??= stateOf(this.#status, this.#agent, this.#context.name);
    return this.#state;
  }

  /** The agent, if it runs. */
  get agent(): Agent | undefined {
    return this.#agent?.signal.aborted === false ? this.#agent : undefined;
  }

  /** The agent; starts it, if it does not run. */
  start(): Promise<Agent> {
    const { agent } = this;
    if (agent !== undefined) return Promise.resolve(agent);
    this.#starting ??= this.#start().finally(() => (this.#starting = undefined));
    return this.#starting;
  }

  async close(): Promise<void> {
    this.#isExpectedToEnd = true;
    await this.#starting?.catch(() => {});
    await this.#agent?.close();
    await this.#connection?.close();
  }

  /** Ends it, to start it again. */
  async end(): Promise<void> {
    this.#isExpectedToEnd = true;
    try {
      await this.#agent?.close();
    } finally {
      this.#isExpectedToEnd = false;
    }
    this.#change("ended");
  }

  /** Logs in. The agent may be another one after that, without the sessions of the one before. */
  async logIn(loginId: string): Promise<Agent> {
    const before = await this.start();
    const takesTerminal = before.logins.find(({ id }) => id === loginId)?.takesTerminal === true;
    const logIn = (): Promise<Agent> => before.logIn(loginId, this.#context.quit);
    this.#isExpectedToEnd = true;
    try {
      const agent = await (takesTerminal ? this.#context.lendTerminal(logIn) : logIn());
      if (agent !== before) this.#watch(agent);
      return agent;
    } finally {
      this.#isExpectedToEnd = false;
    }
  }

  async runInShell(line: string, signal: AbortSignal): Promise<ShellRun> {
    const { runInShell } = await this.#side;
    return runInShell(line, this.#context.options.cwd, signal);
  }

  async describe(error: unknown): Promise<string> {
    const { classifyFailure, failureText } = await this.#side;
    this.lastFailure = classifyFailure(error, this.#failureContext);
    return failureText(this.lastFailure);
  }

  async failure(error: unknown): Promise<ProgramFailure> {
    const { classifyFailure } = await this.#side;
    return ProgramFailure.of(classifyFailure(error, this.#failureContext), error);
  }

  get #failureContext(): FailureContext | undefined {
    const context = this.#connection?.context(this.state.logins);
    return context && { ...context, canRestart: this.#status === "ready" };
  }

  /** Calls the agent; a login in a terminal that it asks for takes place first. */
  async withLogin<Result>(call: () => Promise<Result>, takeLogin: () => Login | undefined): Promise<Result> {
    const { withLogin } = await this.#side;
    return withLogin(call, takeLogin, async (loginId) => void (await this.logIn(loginId)));
  }

  /** Calls the running agent, which may take as long for its answer as for its start, or longer if it asks the user. */
  async limited<Result>(method: string, call: (agent: Agent) => Promise<Result>): Promise<Result> {
    const { within } = await this.#side;
    const agent = await this.start();
    const { asked, options } = this.#context;
    const before = asked();
    return within(options.startTimeout, method, call(agent), () => asked() > before);
  }

  async #start(): Promise<Agent> {
    const isFirst = this.#agent === undefined;
    this.#change(isFirst ? "starting" : "restarting");
    try {
      const side = await this.#side;
      this.#connection ??= this.#connect(side);
      const agent = await this.#connection.open();
      this.#watch(agent);
      return agent;
    } catch (error) {
      this.#change("ended");
      throw error;
    }
  }

  #connect({ AgentConnection, createRedactor }: AgentSide): AgentConnection {
    const { options, detail } = this.#context;
    const redactor = options.withSecrets ? undefined : createRedactor();
    return new AgentConnection(options, {
      ...this.#context,
      late: this.late,
      detail: (label, line) => detail(`${label} ${redactor?.line(label, line) ?? line}`),
    });
  }

  #watch(agent: Agent): void {
    this.#agent = agent;
    this.#change("ready");
    agent.signal.addEventListener(
      "abort",
      () => {
        if (this.#isExpectedToEnd || this.#agent !== agent || this.#context.quit.aborted) return;
        this.#change("ended");
        this.#context.died(agent.signal.reason);
      },
      { once: true },
    );
  }

  #change(status: AgentState["status"]): void {
    this.#status = status;
    this.#state = undefined;
    this.#context.changed();
  }
}

const nothing = {
  takes: { image: false, audio: false, embeddedContext: false },
  can: { load: false, resume: false, list: false, delete: false, close: false, steer: false },
} as const;

function stateOf(status: AgentState["status"], agent: Agent | undefined, name: string): AgentState {
  const { title, name: ownName = name, version } = agent?.info ?? {};
  return {
    status,
    name: title ?? ownName,
    version: version === "" ? undefined : version,
    protocol: agent?.version ?? 0,
    takes: agent?.takes ?? nothing.takes,
    can: agent?.can ?? nothing.can,
    logins: agent?.logins ?? [],
  };
}
