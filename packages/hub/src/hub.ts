import { type AgentConnection, type AgentDefinition, createClient, UsageError } from "@acp/core";
import { agentOfVersions } from "@acp/core/v2";

import { Access } from "./access.ts";
import { type Clock, systemClock } from "./clock.ts";
import { namingExtensions } from "./extensions.ts";
import { frontAgent } from "./front/front-agent.ts";
import { frontAgent2 } from "./front/front-agent-2.ts";
import type { FrontParts } from "./front/front-connection.ts";
import { HubFullError } from "./front/hub-full-error.ts";
import { HubSessions } from "./front/hub-sessions.ts";
import type { AgentFacts, HubProgram, NamedProgram } from "./front/program.ts";
import type { Journal, ListedSession, SessionFilter } from "./journal/journal.ts";
import type { OpenAsk } from "./journal/session-facts.ts";
import { agentConnector, type HubRuntime, spawnProgram } from "./keeper/agent-connector.ts";
import type { Keepers } from "./keeper/keepers.ts";
import { checkLimits, checkNumbers, type SessionLimits } from "./keeper/limits.ts";
import { localKeepers } from "./keeper/local-keepers.ts";
import { openAgentsOfVersion1 } from "./keeper/v1-agent.ts";
import { UnusedSessions } from "./front/unused-sessions.ts";
import type { HubUser, May } from "./rights.ts";
import type { Share } from "./shares/share.ts";
import { type NewShare, type ShareOptions, Shares } from "./shares/shares.ts";

/** Limits of {@link createHub}. */
export interface HubLimits extends SessionLimits {
  /** Sessions that have an agent; a further one is refused. Default: 50. */
  readonly sessions?: number | undefined;
  /** Clients of this hub that use the same session; a further one cannot open it. Default: 1,000. */
  readonly clients?: number | undefined;
  /** Connections of clients; a further one is refused, over HTTP with 503. Default: 5,000. */
  readonly connections?: number | undefined;
  /**
   * How long a session is kept that nobody uses, in milliseconds: then it is removed. It is used by whoever is attached to it, and
   * last when something was written to it. `Infinity` for ever. Default: 7,776,000,000, which is 90 days.
   */
  readonly keepTime?: number | undefined;
}

const defaults = { sessions: 50, clients: 1000, connections: 5000, keepTime: 7_776_000_000 };

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
  /**
   * An agent asks something, and nobody who is attached can answer it: tell its owner, by a push message for example. Called once
   * for each question, and again when somebody who could answer has left.
   */
  readonly onAttention?: ((attention: NeededAttention) => void) | undefined;
  readonly limits?: HubLimits | undefined;
  /** Something that an operator should know. Default: nobody is told. */
  readonly onProblem?: ((message: string, error: unknown) => void) | undefined;
  /** The time. A test may hold it. Default: that of the machine. */
  readonly clock?: Clock | undefined;
}

/** A question that waits for somebody. */
export interface NeededAttention {
  readonly session: string;
  /** The user whose session it is; `undefined` on a hub without users. */
  readonly owner: string | undefined;
  /** The question as the agent has asked it. */
  readonly question: { readonly id: string; readonly method: string; readonly params: unknown };
}

/** A client that connects. */
export interface HubConnection {
  /**
   * Its agent: the name of one of the option `agents`, or a program with a name of its own. Default: that of the session which
   * `user` has a share of.
   */
  readonly agent?: string | NamedProgram | undefined;
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
   * @throws {HubFullError} there are as many connections as `limits.connections` allows.
   * @throws what starting the agent throws.
   */
  agent(connection: HubConnection): Promise<AgentDefinition>;
  /** A page of the sessions, the latest first. */
  list(filter?: SessionFilter, page?: string): ReturnType<Journal["list"]>;
  /** Ends the agent of a session. The next prompt opens it again, if the agent can. */
  stop(session: string): Promise<void>;
  /** Ends the agent of a session, and forgets the session. */
  remove(session: string): Promise<void>;
  /**
   * Lets whoever has the token use a session, without being its owner. They see no other one.
   *
   * @throws {UsageError} for an invalid option, or if there is no such session.
   */
  share(session: string, options: ShareOptions): Promise<NewShare>;
  /** The shares of a session that count, without their tokens. */
  shares(session: string): Promise<readonly Share[]>;
  /** Ends a share. Its connections end within a second, also those of hubs in other processes. */
  revoke(session: string, share: string): Promise<void>;
  /**
   * The user that a token of a share stands for, for `authorize` of `createHttpServer`. `undefined` if it is none, was revoked,
   * or has expired.
   */
  userOf(token: string): Promise<HubUser | undefined>;
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
  readonly #shares: Shares;
  readonly #access: Access;
  readonly #unused: UnusedSessions;
  readonly #maxConnections: number;
  #connections = 0;

  constructor(options: HubOptions) {
    this.#options = options;
    const { journal, policy, onProblem, clock = systemClock } = options;
    this.#shares = new Shares(journal, clock);
    this.#access = new Access({ journal, shares: this.#shares, may: options.may });
    const limits = checkLimits(options.limits);
    const { sessions: maxLive, clients: maxClients, connections, keepTime } = checkNumbers(options.limits, defaults);
    this.#maxConnections = connections;
    const keepers =
      options.keepers ??
      localKeepers({
        journal,
        clock,
        limits,
        policy,
        onProblem,
        openAgentOf: ({ program, login }) =>
          openAgentsOfVersion1(agentConnector(options.runtime, program, () => login)),
      });
    const onAttention =
      options.onAttention && ((session: string, question: OpenAsk) => void this.#onAttention(session, question));
    this.#sessions = new HubSessions({ journal, keepers, clock, maxLive, maxClients, onAttention });
    this.#unused = new UnusedSessions({
      journal,
      clock,
      keepTime,
      isUsed: (session) => this.#sessions.isUsed(session),
      onFailure: (error) => onProblem?.("Sessions that nobody uses were not removed; it is tried again later", error),
    });
  }

  async agent({ agent, user }: HubConnection): Promise<AgentDefinition> {
    if (this.#connections >= this.#maxConnections) throw new HubFullError(this.#maxConnections);
    const program = typeof agent === "object" ? agent : await this.#programFor(agent, user);
    const facts = await this.#factsOf(program);
    const parts: FrontParts = {
      sessions: this.#sessions,
      program,
      facts,
      user,
      access: this.#access,
      programOf: (session) => this.#programOfSession(session, program),
      login: (methodId) => this.#login(user?.id, program, methodId),
      chosenLogin: (owner) => this.#logins.get(loginKey(owner, program)),
      remove: (session) => this.remove(session.session),
    };
    return {
      role: "agent",
      connect: (transport, connectOptions) => {
        const front = agentOfVersions({ v1: frontAgent(parts), v2: frontAgent2(parts) });
        const connection = front.connect(namingExtensions(transport), connectOptions);
        this.#count(connection);
        if (user?.share !== undefined) this.#shares.endWithShare(user.share, connection);
        return connection;
      },
    };
  }

  /** Counts a connection until it has ended. One that was admitted together with too many others ends at once. */
  #count(connection: AgentConnection): void {
    this.#connections += 1;
    void connection.closed.then(() => (this.#connections -= 1));
    if (this.#connections > this.#maxConnections) void connection.close();
  }

  share(session: string, options: ShareOptions): Promise<NewShare> {
    return this.#shares.create(session, options);
  }

  shares(session: string): Promise<readonly Share[]> {
    return this.#shares.list(session);
  }

  revoke(session: string, share: string): Promise<void> {
    return this.#shares.revoke(session, share);
  }

  userOf(token: string): Promise<HubUser | undefined> {
    return this.#shares.userOf(token);
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
    this.#shares.close();
    this.#unused.close();
    await this.#sessions.close();
  }

  async #onAttention(session: string, { id, method, params }: OpenAsk): Promise<void> {
    const { journal, onAttention, onProblem } = this.#options;
    try {
      const description = await journal.describe(session);
      if (description !== undefined)
        onAttention?.({ session, owner: description.owner, question: { id, method, params } });
    } catch (error) {
      onProblem?.("Nobody was told of a question", error);
    }
  }

  #programOf(name: string): NamedProgram {
    const { agents = {} } = this.#options;
    const program = Object.hasOwn(agents, name) ? agents[name] : undefined;
    if (program !== undefined) return { ...program, name };
    throw new UsageError(`The hub has no agent '${name}'; it has ${Object.keys(agents).join(", ") || "none"}`);
  }

  /** The program that a client names, or that of the session which it may use. */
  async #programFor(name: string | undefined, user: HubUser | undefined): Promise<NamedProgram> {
    if (name !== undefined) return this.#programOf(name);
    const { share } = user ?? {};
    const session = share === undefined ? undefined : await this.#options.journal.describe(share.session);
    if (session === undefined) throw new UsageError("A client of a hub names its agent");
    return this.#programOfSession(session);
  }

  /** What opens an earlier session: the program of its name, or the one that it was made with. */
  #programOfSession(session: ListedSession, connected?: NamedProgram): NamedProgram {
    if (session.agent === connected?.name) return connected;
    const { agents = {} } = this.#options;
    if (Object.hasOwn(agents, session.agent)) return this.#programOf(session.agent);
    const { program } = (session.more ?? {}) as { readonly program?: HubProgram };
    if (program === undefined) return this.#programOf(session.agent);
    return { ...program, name: session.agent };
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
    const { capabilities, authMethods, info } = agent;
    await agent.close();
    return {
      title: info?.title ?? info?.name ?? program.name,
      capabilities,
      authMethods: authMethods as AgentFacts["authMethods"],
    };
  }

  async #login(owner: string | undefined, program: NamedProgram, methodId: string): Promise<void> {
    const agent = await spawnProgram(this.#options.runtime, program, plainClient);
    try {
      await agent.authenticate(methodId);
    } finally {
      await agent.close();
    }
    this.#logins.set(loginKey(owner, program), methodId);
  }
}

/** Each user chooses a login of their own. */
function loginKey(owner: string | undefined, { name }: NamedProgram): string {
  return JSON.stringify([owner, name]);
}

const plainClient = createClient({ info: { name: "acp-hub", version: "1.0.0" } });
