import type { AgentMethods, Implementation, Received } from "@acp/schema/v1";
import { type CallOptions, type Connection, createConnection, type OnResult } from "../connection/connection.ts";
import type { Dispatcher } from "../connection/dispatcher.ts";
import type { IncomingRequest } from "../connection/incoming-request.ts";
import { createMethodIndex, type MethodIndex } from "../connection/method-index.ts";
import type { CalledEntry, OutgoingRequest } from "../connection/outgoing-requests.ts";
import { refuseNow, refuseSession } from "../connection/refusal.ts";
import { sessionIdOf } from "../connection/session-id.ts";
import { type DiagnosticListener, guardListener } from "../diagnostics.ts";
import { asyncDispose } from "../dispose.ts";
import { ProtocolError, TimeoutError } from "../errors.ts";
import { createPeer, type MetaOptions, metaOf, type Peer, type PeerCalls } from "../protocol/peer.ts";
import type { ClientRole } from "../protocol/role.ts";
import { backgroundTimer, checkLimit, settledWithin } from "../timers.ts";
import type { Transport } from "../transport/transport.ts";
import { invalidArguments } from "./arguments.ts";
import type { AttachedSession } from "./attached-session.ts";
import type { GateMode } from "./call-rules.ts";
import { type ChooseLogin, Login } from "./client-login.ts";
import { ClientRules } from "./client-rules.ts";
import { ClientSessions } from "./client-sessions.ts";
import type { ConnectedAgent } from "./connected-agent.ts";
import { Elicitations } from "./elicitations.ts";
import type { UntypedHandler } from "./handler-table.ts";
import { cancelledOutcome, checkOutcome, rejectionOf } from "./permission.ts";
import { createChunkReader } from "./read-chunks.ts";
import { RunContext, type SignalOwner } from "./run-context.ts";
import { withdraw, withdrawnAnswers } from "./withdrawn.ts";

/** What a client's connection is made from. */
export interface ClientConnectionOptions {
  readonly table: ClientRole;
  readonly handlers: ReadonlyMap<string, UntypedHandler>;
  readonly info: Implementation;
  readonly capabilities: object;
  readonly gate: GateMode;
  /** Asks the user to log in when the agent wants that. */
  readonly authenticate: ChooseLogin | undefined;
  readonly transport: Transport;
  readonly onDiagnostic: DiagnosticListener | undefined;
  readonly startTimeout: number;
  readonly signal: AbortSignal | undefined;
  /** For `initialize`. */
  readonly _meta: MetaOptions["_meta"];
}

const permission = "session/request_permission";

export async function connectClient(options: ClientConnectionOptions): Promise<ConnectedAgent> {
  const side = new ClientSide(options);
  try {
    return await side.initialize();
  } catch (error) {
    // An agent that does not read cannot hold up what its caller has to know.
    await settledWithin(side.connection.close(), 1000);
    throw error;
  }
}

/** The client's side of one connection: lifecycle, sessions, and the agent's requests. */
class ClientSide implements Dispatcher {
  readonly connection: Connection;
  readonly #options: ClientConnectionOptions;
  readonly #methods: MethodIndex;
  readonly #rules: ClientRules;
  readonly #sessions: ClientSessions;
  readonly #calls: PeerCalls;
  readonly #peer: Peer<AgentMethods>;
  readonly #login: Login | undefined;
  readonly #elicitations = new Elicitations();
  #agent: Received.InitializeResponse | undefined;

  constructor(options: ClientConnectionOptions) {
    this.#options = options;
    const report = guardListener(options.onDiagnostic);
    this.#methods = createMethodIndex(options.table);
    this.#rules = new ClientRules({
      table: options.table,
      methods: this.#methods,
      capabilities: options.capabilities,
      mode: options.gate,
      report,
      agent: () => this.#agent,
      sessionOf: (params) => this.#sessions.of(params),
    });
    this.connection = createConnection(
      {
        transport: options.transport,
        methods: this.#methods,
        report,
        answersNoise: false,
        closingGrace: 0,
        shortcut: { method: "session/update", read: createChunkReader() },
      },
      this,
    );
    this.#calls = {
      request: (method, params, callOptions) => this.#call(method, params, callOptions),
      notify: async (method, params) => {
        this.#rules.checkNotification(method, params);
        const sent = this.connection.notify(method, params);
        if (method === "session/cancel") this.#sessions.of(params)?.markCancelled();
        await sent;
      },
    };
    this.#peer = createPeer(this.#calls);
    const { authenticate } = options;
    this.#login =
      authenticate === undefined
        ? undefined
        : new Login({
            choose: authenticate,
            signal: this.connection.signal,
            agent: () => ({ agent: this.#agent?.agentInfo ?? undefined, methods: this.#agent?.authMethods ?? [] }),
            authenticate: (methodId, signal) => this.#call("authenticate", { methodId }, { signal }),
          });
    this.#sessions = new ClientSessions({
      table: options.table,
      methods: this.#methods,
      capabilities: options.capabilities,
      calls: this.#calls,
      connection: this.connection,
      report,
      hasUpdateHandler: options.handlers.has("session/update"),
    });
    this.connection.start();
  }

  /** The opening call of the connection (INIT-01 to INIT-04). */
  async initialize(): Promise<ConnectedAgent> {
    const { startTimeout, signal, table, info, capabilities } = this.#options;
    checkLimit("startTimeout", startTimeout);
    let agent: Received.InitializeResponse;
    const limit = new AbortController();
    const stop = backgroundTimer(() => {
      const message = `The agent did not answer initialize within ${startTimeout} ms`;
      limit.abort(new TimeoutError("initialize", startTimeout, message));
    }, startTimeout);
    const abort = (): void => limit.abort(signal?.reason);
    if (signal?.aborted) abort();
    signal?.addEventListener("abort", abort, { once: true });
    try {
      const params = {
        protocolVersion: table.protocolVersion,
        clientCapabilities: capabilities,
        clientInfo: info,
        ...metaOf(this.#options),
      };
      // Known the moment it arrives: what the agent asks may stand right behind it.
      const result = await this.connection.request("initialize", params, { signal: limit.signal }, (answer) => {
        this.#agent = answer as Received.InitializeResponse;
      });
      agent = result as Received.InitializeResponse;
    } finally {
      stop();
      signal?.removeEventListener("abort", abort);
    }
    const { protocolVersion } = agent;
    if (protocolVersion !== table.protocolVersion) {
      const reason = `is ${protocolVersion}, but only version ${table.protocolVersion} is spoken here`;
      throw new ProtocolError("initialize", ["result", "protocolVersion"], reason);
    }
    return this.#connectedAgent(agent);
  }

  handles(kind: "request" | "notification", method: string): boolean {
    if (this.#options.handlers.has(method)) return true;
    if (kind === "request") return method === permission;
    return method === "session/update" || method === "elicitation/complete";
  }

  arrived(sessionId: string, method: string, params: unknown): boolean {
    this.#sessions.revealed?.arrived(method, params);
    return this.#sessions.isUnclaimed(sessionId);
  }

  kept(sessionId: string): void {
    this.#sessions.kept(sessionId);
  }

  abandoned(request: OutgoingRequest): void {
    this.#sessions.abandoned(request);
  }

  ended(reason: Error, wanted: boolean): void {
    for (const request of this.connection.unanswered()) withdraw(request, reason);
    this.#sessions.endAll(reason, wanted ? undefined : reason);
  }

  notification(method: string, params: unknown, isPlain: boolean): unknown {
    const session = this.#sessions.of(params);
    if (!isPlain) this.#rules.checkTold(method, params, session);
    if (method === "elicitation/complete" && !this.#elicitations.complete(params)) {
      const message = `${method} names no question that is open; it was ignored`;
      return this.#rules.warn(method, message, "ELIC-21");
    }
    if (method === "session/update") session?.receive((params as Received.SessionNotification).update);
    this.#sessions.revealed?.handled(method, params);
    const handler = this.#options.handlers.get(method);
    return handler?.(params, session === undefined ? this.#context(undefined, this.connection) : this.#told(session));
  }

  /** What handlers of a session's notifications get: always the same, so it is made once. */
  #told(session: AttachedSession): object {
    session.context ??= Object.freeze(this.#context(session, this.connection));
    return session.context;
  }

  request(request: IncomingRequest): unknown {
    const { method, params } = request;
    if (this.#agent === undefined) throw refuseNow("initialize has not been answered");
    const session = this.#sessions.askedFor(params);
    if (session === undefined && sessionIdOf(params) !== undefined && !method.startsWith("_")) {
      throw refuseSession();
    }
    this.#rules.checkReceived(request);
    if (method === permission && session !== undefined) return this.#askPermission(request, session);
    const handler = this.#options.handlers.get(method);
    this.#rules.checkMode(request);
    const withdrawn = withdrawnAnswers.get(method);
    const run = (): unknown =>
      withdrawn !== undefined && this.#sessions.isWithdrawn(params, session)
        ? withdrawn
        : handler?.(params, this.#context(session, request));
    return method === "elicitation/create" ? this.#elicitations.ask(params, invalidArguments, run, request) : run();
  }

  #askPermission(request: IncomingRequest, session: AttachedSession): unknown {
    session.asked(request.params as Received.RequestPermissionRequest);
    if (this.#sessions.isWithdrawn(request.params, session)) return cancelledOutcome;
    const handler = this.#options.handlers.get(permission);
    if (handler === undefined) {
      const message = `${permission} was rejected: there is no handler to ask the user`;
      this.#rules.warn(permission, message, "INIT-18", { sessionId: session.id });
      return rejectionOf(request.params);
    }
    return this.#askUser(handler, request, session);
  }

  async #askUser(handler: UntypedHandler, request: IncomingRequest, session: AttachedSession): Promise<unknown> {
    const { params } = request;
    const outcome = await handler(params, this.#context(session, request));
    this.#rules.refuse(`The answer of ${permission}`, checkOutcome(params, outcome));
    return outcome;
  }

  #context(session: AttachedSession | undefined, owner: SignalOwner): object {
    return new HandlerContext(session?.agent ?? this.#peer, session, owner);
  }

  #call(method: string, params: unknown, options: CallOptions = {}): Promise<unknown> {
    const entry = this.#methods.calledRequest(method);
    if (entry?.opensSession !== undefined) return this.#open(method, params, entry, entry.opensSession, options);
    if (this.#login === undefined || method === "authenticate" || method === "logout") {
      return this.#send(method, params, entry, options);
    }
    const session = this.#sessions.of(params);
    const before = session?.received;
    return this.#login.around(method, () => this.#send(method, params, entry, options), {
      signal: options.signal,
      withdrawal: session?.withdrawalOf(method),
      // Of a turn that had begun, nothing is done twice.
      mayRepeat: () => method !== "session/prompt" || session?.received === before,
    });
  }

  #open(
    method: string,
    params: unknown,
    entry: CalledEntry,
    named: "params" | "result",
    options: CallOptions,
  ): Promise<unknown> {
    const { checkResult } = this.#rules;
    const { signal } = options;
    return this.#sessions.open({
      method,
      params,
      named,
      check: () => this.#check(method, params, entry, this.#sessions.of(params)),
      send: (onResult) =>
        this.connection.request(method, params, options, (result, request) => {
          checkResult(result, request);
          onResult(result);
        }),
      withLogin: (attempt, session) => {
        if (this.#login === undefined) return attempt();
        // It is not over with another session of that name.
        const withdrawal = session?.withdrawalOf(method);
        return this.#login.around(method, attempt, { signal, withdrawal, mayRepeat: () => true });
      },
    });
  }

  #check(method: string, params: unknown, entry: CalledEntry, session: AttachedSession | undefined): void {
    // What has ended with it must not pass for something that the agent lacks.
    if (this.connection.hasEnded) throw this.connection.signal.reason;
    this.#rules.checkRequest(method, params, entry, session);
  }

  #send(method: string, params: unknown, entry: CalledEntry, options: CallOptions): Promise<unknown> {
    const session = this.#sessions.of(params);
    try {
      this.#check(method, params, entry, session);
    } catch (error) {
      return Promise.reject(error);
    }
    const onResult = session === undefined ? this.#rules.checkResult : this.#onResult(method, params, session);
    // Without a promise of its own, and checked on delivery: a tenth of what a client's side of a prompt takes.
    if (session === undefined || (method !== "session/close" && method !== "session/delete")) {
      return this.connection.request(method, params, options, onResult);
    }
    return this.#sessions.end(session, method, () => this.connection.request(method, params, options, onResult));
  }

  /** What is chosen counts from the moment the answer arrives: an update that stands right behind it is newer. */
  #onResult(method: string, params: unknown, session: AttachedSession): OnResult {
    const { checkResult } = this.#rules;
    if (method !== "session/set_mode" && method !== "session/set_config_option") return checkResult;
    return (result, request) => {
      checkResult(result, request);
      const take = (): void => session.chosen(method, params, result);
      take();
      // And once more behind the updates that stand before it and wait for a handler: they are older.
      if (this.connection.lanes.at(session.id) !== undefined) this.connection.lanes.respond(session.id, 0, take);
    };
  }

  async #opened(method: string, params: object, options: CallOptions | undefined): Promise<AttachedSession> {
    const result = await this.#call(method, { mcpServers: [], ...params }, options);
    // The params of a fork name the session it comes from.
    const named = this.#methods.calledRequest(method)?.opensSession === "params" ? params : result;
    const session = this.#sessions.of(named);
    if (session === undefined) throw this.connection.signal.reason;
    return session;
  }

  #connectedAgent(agent: Received.InitializeResponse): ConnectedAgent {
    return {
      protocolVersion: agent.protocolVersion,
      info: agent.agentInfo ?? undefined,
      capabilities: agent.agentCapabilities ?? {},
      authMethods: agent.authMethods ?? [],
      ...this.#peer,
      newSession: (params, options) => this.#opened("session/new", params, options),
      loadSession: (params, options) => this.#opened("session/load", params, options),
      resumeSession: (params, options) => this.#opened("session/resume", params, options),
      ...("session/fork" in this.#options.table.calls.requests && {
        forkSession: (params: object, options?: CallOptions) => this.#opened("session/fork", params, options),
      }),
      session: (sessionId) => this.#sessions.get(sessionId),
      meta: agent._meta ?? {},
      authenticate: async (methodId, options) => {
        await this.#call("authenticate", { methodId, ...metaOf(options) }, options);
      },
      signal: this.connection.signal,
      closed: this.connection.closed,
      close: () => this.connection.close(),
      [asyncDispose]: () => this.connection.close(),
    };
  }
}

/** What a handler gets beside its params. */
class HandlerContext extends RunContext {
  readonly agent: unknown;
  readonly session: AttachedSession | undefined;

  constructor(agent: unknown, session: AttachedSession | undefined, owner: SignalOwner) {
    super(owner);
    this.agent = agent;
    this.session = session;
  }
}
