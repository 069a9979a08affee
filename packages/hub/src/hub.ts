import { type AgentDefinition, createClient, RequestError, UsageError } from "@acp/core";

import { type Clock, systemClock } from "./clock.ts";
import { frontAgent } from "./front/front-agent.ts";
import { HubSessions } from "./front/hub-sessions.ts";
import type { AgentFacts, HubProgram, NamedProgram } from "./front/program.ts";
import type { Journal, ListedSession, SessionFilter } from "./journal/journal.ts";
import { agentConnector, type HubRuntime, spawnProgram } from "./keeper/agent-connector.ts";
import type { Keepers } from "./keeper/keepers.ts";
import { checkLimits, type SessionLimits } from "./keeper/limits.ts";
import { localKeepers } from "./keeper/local-keepers.ts";
import { openAgentsOfVersion1 } from "./keeper/v1-agent.ts";
import { type Act, type HubUser, type May, ownersMay } from "./rights.ts";

/** Limits of {@link createHub}. */
export interface HubLimits extends SessionLimits {
  /** Sessions that have an agent; a further one is refused. Default: 50. */
  readonly sessions?: number | undefined;
}

/** Options of {@link createHub}. */
export interface HubOptions {
  /** Where the sessions are kept. */
  readonly journal: Journal;
  /** What starts agents, and lets them use this machine's files and terminals. */
  readonly runtime: HubRuntime;
  /** The agents by name. */
  readonly agents?: { readonly [name: string]: HubProgram } | undefined;
  /** Where keepers run. Default: in this process, so that agents end with it. */
  readonly keepers?: Keepers | undefined;
  /** Decides what users may do. Default: everything with sessions of their own, and nothing with others. */
  readonly may?: May | undefined;
  /** Answers a question of an agent before anybody is asked. `undefined` leaves it to people. Default: asks people. */
  readonly policy?: ((method: string, params: unknown) => unknown) | undefined;
  readonly limits?: HubLimits | undefined;
  /** Something that an operator should know. Default: nobody is told. */
  readonly onProblem?: ((message: string, error: unknown) => void) | undefined;
  /** The time. A test may hold it. Default: that of the machine. */
  readonly clock?: Clock | undefined;
}

/** A client that connects. */
export interface HubConnection {
  /** Its agent: the name of one of the option `agents`, or a program with a name of its own. */
  readonly agent: string | NamedProgram;
  /** Who it belongs to. Default: a user of this machine, who may do everything. */
  readonly user?: HubUser | undefined;
}

/** Sessions of agents that outlive their clients. */
export interface Hub {
  /**
   * The agent that a client is connected to: `(await hub.agent({ agent: "codex" })).connect(transport)`, or the option `agent` of
   * `createHttpServer`. The first time for each program, it starts the agent to learn what it can do.
   *
   * @throws {UsageError} there is no agent of this name.
   * @throws what starting the agent throws.
   */
  agent(connection: HubConnection): Promise<AgentDefinition>;
  /** A page of the sessions, the latest first. */
  list(filter?: SessionFilter, page?: string): ReturnType<Journal["list"]>;
  /** Ends the agent of a session. The next prompt opens it again, if the agent can. */
  stop(session: string): Promise<void>;
  /** Ends the agent of a session, and forgets the session. */
  remove(session: string): Promise<void>;
  /** Ends all agents in this process. Those in other processes go on. */
  close(): Promise<void>;
}

/**
 * Creates a hub.
 *
 * ```ts
 * import * as runtime from "@acp/node";
 *
 * const hub = createHub({ journal: createFileJournal(folder), runtime, agents: { codex: { command: "codex-acp" } } });
 * const server = createHttpServer({ agent: () => hub.agent({ agent: "codex" }) });
 * ```
 *
 * @throws {UsageError} for an invalid limit.
 */
export function createHub(options: HubOptions): Hub {
  if (typeof options?.journal?.append !== "function") throw new UsageError("createHub() needs a journal");
  return new OpenHub(options);
}

class OpenHub implements Hub {
  readonly #options: HubOptions;
  readonly #sessions: HubSessions;
  readonly #facts = new Map<string, Promise<AgentFacts>>();
  readonly #logins = new Map<string, string>();
  readonly #may: May;

  constructor(options: HubOptions) {
    this.#options = options;
    this.#may = options.may ?? ownersMay;
    const { journal, policy, onProblem, clock = systemClock } = options;
    const limits = checkLimits(options.limits);
    const keepers =
      options.keepers ??
      localKeepers({
        journal,
        clock,
        limits,
        policy,
        onProblem,
        openAgentOf: ({ program, login }) =>
          openAgentsOfVersion1(agentConnector(options.runtime, program, () => login ?? this.#logins.get(program.name))),
      });
    this.#sessions = new HubSessions({ journal, keepers, clock, maxLive: options.limits?.sessions ?? 50 });
  }

  async agent({ agent, user }: HubConnection): Promise<AgentDefinition> {
    const program = typeof agent === "string" ? this.#programOf(agent) : agent;
    const facts = await this.#factsOf(program);
    return frontAgent({
      sessions: this.#sessions,
      program,
      facts,
      user,
      allow: (session, act) => this.#allow(user, session, act),
      list: async (filter, page) => {
        const found = await this.#sessions.list(filter, page);
        return { ...found, sessions: found.sessions.filter((session) => this.#isAllowed(user, session, "watch")) };
      },
      programOf: (session) => this.#programFor(session, program),
      login: (methodId) => this.#login(program, methodId),
      chosenLogin: () => this.#logins.get(program.name),
      remove: (session) => this.remove(session.session),
    });
  }

  list(filter: SessionFilter = {}, page?: string): ReturnType<Journal["list"]> {
    return this.#sessions.list(filter, page);
  }

  stop(session: string): Promise<void> {
    return this.#sessions.stop(session);
  }

  async remove(session: string): Promise<void> {
    await this.#sessions.stop(session).catch(() => {});
    await this.#options.journal.remove(session);
  }

  async close(): Promise<void> {
    await this.#sessions.close();
  }

  #programOf(name: string): NamedProgram {
    const { agents = {} } = this.#options;
    const program = Object.hasOwn(agents, name) ? agents[name] : undefined;
    if (program !== undefined) return { ...program, name };
    throw new UsageError(`The hub has no agent '${name}'; it has ${Object.keys(agents).join(", ") || "none"}`);
  }

  /** What opens an earlier session: the program of its name, or the one that it was made with. */
  #programFor(session: ListedSession, connected: NamedProgram): NamedProgram {
    if (session.agent === connected.name) return connected;
    return this.#programOf(session.agent);
  }

  /** What an agent can do. One that fails is asked again the next time. */
  #factsOf(program: NamedProgram): Promise<AgentFacts> {
    const key = JSON.stringify([program.command, program.args]);
    const known = this.#facts.get(key) ?? this.#ask(program);
    this.#facts.set(key, known);
    known.catch(() => this.#facts.delete(key));
    return known;
  }

  async #ask(program: NamedProgram): Promise<AgentFacts> {
    const agent = await spawnProgram(this.#options.runtime, program, plainClient);
    const { capabilities, authMethods } = agent;
    await agent.close();
    return { capabilities, authMethods: authMethods as AgentFacts["authMethods"] };
  }

  async #login(program: NamedProgram, methodId: string): Promise<void> {
    const agent = await spawnProgram(this.#options.runtime, program, plainClient);
    try {
      await agent.authenticate(methodId);
    } finally {
      await agent.close();
    }
    this.#logins.set(program.name, methodId);
  }

  async #allow(user: HubUser | undefined, id: string, act: Act): Promise<ListedSession> {
    const session = await this.#sessions.describe(id);
    // Nobody learns of a session that is not theirs.
    if (session === undefined || !this.#isAllowed(user, session, "watch"))
      throw RequestError.resourceNotFound(`No such session: ${id}`, { sessionId: id });
    if (!this.#isAllowed(user, session, act))
      throw RequestError.invalidParams(`You may watch this session, and not change it`, { sessionId: id, act });
    return session;
  }

  #isAllowed(user: HubUser | undefined, { session: id, owner, agent, cwd }: ListedSession, act: Act): boolean {
    const may: unknown = this.#may({ user, act, session: { id, owner, agent, cwd } });
    // Only `true` is a yes, which the promise of an async function is not.
    return may === true;
  }
}

const plainClient = createClient({ info: { name: "acp-hub", version: "1.0.0" } });
