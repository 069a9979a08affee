import type { Gate } from "@acp/schema";
import type {
  AuthMethod,
  ClientMethods,
  Implementation,
  InitializeResponse,
  Received,
  SessionUpdate,
} from "@acp/schema/v1";
import { type CallOptions, Connection } from "../connection/connection.ts";
import type { Dispatcher } from "../connection/dispatcher.ts";
import { heard } from "../connection/heard.ts";
import type { IncomingRequest } from "../connection/incoming-request.ts";
import { sessionIdOf } from "../connection/session-id.ts";
import { MethodIndex } from "../connection/method-index.ts";
import { refuseNow, refuseSession } from "../connection/refusal.ts";
import { type DiagnosticListener, guardListener } from "../diagnostics.ts";
import { asyncDispose } from "../dispose.ts";
import { CapabilityError, type ErrorCode, ProtocolError, UsageError, type WireError } from "../errors.ts";
import { createPeer, type MetaOptions, metaOf, type PeerCalls } from "../protocol/peer.ts";
import type { AgentRole } from "../protocol/role.ts";
import type { Transport } from "../transport/transport.ts";
import type { AgentConnection } from "./agent.ts";
import { type ClientDetails, sessionMethods } from "./agent-handlers.ts";
import type { UntypedSetup } from "./agent-session.ts";
import { AgentSessions } from "./agent-sessions.ts";
import { type ArgumentProblem, invalidArguments, problemsIn } from "./arguments.ts";
import { CallRules, type GateMode } from "./call-rules.ts";
import { type Choices, checkChoice, checkOffer, offersChoices } from "./choices.ts";
import { Elicitations } from "./elicitations.ts";
import { isGateOpen, isSupported, unadvertised } from "./gates.ts";
import type { UntypedHandler } from "./handler-table.ts";
import { offerOptions } from "./offered-options.ts";
import type { OpenSession, SessionLink } from "./open-session.ts";
import { checkOutcome } from "./permission.ts";
import { checkReceivedSetup } from "./setup-rules.ts";
import { AgentRunContext } from "./agent-run-context.ts";
import type { SignalOwner } from "./run-context.ts";

/** What an agent's connection is made from. */
export interface AgentConnectionOptions {
  readonly table: AgentRole;
  readonly handlers: ReadonlyMap<string, UntypedHandler>;
  readonly info: Implementation;
  readonly capabilities: object;
  /** For the answer to `initialize`. */
  readonly _meta: MetaOptions["_meta"];
  authMethods(client: Received.ClientCapabilities): Promise<readonly AuthMethod[]>;
  session(setup: UntypedSetup): unknown;
  sessionId(): string;
  onUpdate: ((update: SessionUpdate, session: OpenSession) => void) | undefined;
  readonly gate: GateMode;
  readonly transport: Transport;
  readonly onDiagnostic: DiagnosticListener | undefined;
}

export function connectAgent(options: AgentConnectionOptions): AgentConnection {
  const side = new AgentSide(options);
  return {
    closed: side.connection.closed,
    close: () => side.connection.close(),
    [asyncDispose]: () => side.connection.close(),
  };
}

/** The agent's side of one connection: lifecycle, sessions and turns. */
class AgentSide implements Dispatcher, SessionLink {
  readonly connection: Connection;
  readonly methods: MethodIndex;
  readonly calls: PeerCalls;
  readonly #options: AgentConnectionOptions;
  readonly #report: DiagnosticListener;
  readonly #rules: CallRules;
  readonly #sessions: AgentSessions;
  readonly #elicitations = new Elicitations();
  #client: ClientDetails | undefined;
  #knownPeer: object | undefined;
  #authMethods: readonly AuthMethod[] = [];
  #initializing: Promise<unknown> | undefined;

  constructor(options: AgentConnectionOptions) {
    this.#options = options;
    this.#report = guardListener(options.onDiagnostic);
    this.methods = new MethodIndex(options.table);
    this.#rules = new CallRules({
      table: options.table,
      methods: this.methods,
      mode: options.gate,
      report: this.#report,
      peer: "the client",
      isOpen: (gate: Gate) =>
        gate.kind !== "capability" || isGateOpen(gate, options.capabilities, this.#client?.capabilities),
    });
    this.connection = new Connection(
      {
        transport: options.transport,
        methods: this.methods,
        report: this.#report,
        answersNoise: true,
        closingGrace: 1000,
      },
      this,
    );
    this.calls = {
      request: (method, params, callOptions) => this.#call(method, params, callOptions),
      notify: (method, params) => this.#notify(method, params),
    };
    this.#sessions = new AgentSessions({
      table: options.table,
      handlers: options.handlers,
      capabilities: options.capabilities,
      connection: this.connection,
      link: this,
      offer: (method, result, session) => this.#offered(method, result, session),
      sessionId: options.sessionId,
      session: (setup) => options.session(setup),
      requestPermission: async ({ id }, question, callOptions) => {
        const params = { sessionId: id, ...question };
        const response = await this.#call("session/request_permission", params, callOptions);
        return (response as Received.RequestPermissionResponse).outcome;
      },
    });
    this.connection.start();
  }

  handles(kind: "request" | "notification", method: string): boolean {
    if (this.#options.handlers.has(method)) return true;
    return kind === "request" ? method === "initialize" || method === "session/new" : method === "session/cancel";
  }

  /** Tells a client that has to log in how it can (AUTH-09). */
  amend(error: WireError): WireError {
    if (error.code !== (-32000 satisfies typeof ErrorCode.authRequired) || error.data !== undefined) return error;
    return { ...error, data: { reason: "auth_required", authMethods: this.#authMethods } };
  }

  ended(reason: Error): void {
    this.#sessions.endAll(reason);
  }

  notification(method: string, params: unknown): unknown {
    if (method === "session/cancel") this.#sessions.cancel(params);
    this.#rules.tolerate(method, this.#unadvertised(method), sessionIdOf(params));
    return this.#options.handlers.get(method)?.(params, this.#context(method, params, this.connection));
  }

  /** What is wrong with a notification that this agent did not advertise to take, though it has a handler. */
  #unadvertised(method: string): ArgumentProblem | undefined {
    const { gates = [] } = this.methods.handledNotification(method) ?? {};
    const closed = gates.find(
      (gate) => gate.kind === "capability" && !isSupported(this.#options.capabilities, gate.path),
    );
    if (closed === undefined) return undefined;
    return { path: [], reason: unadvertised(closed), rule: "INIT-12" };
  }

  request(request: IncomingRequest): unknown {
    const { method, params, entry } = request;
    if (method === "initialize") return this.#initializeOnce(params as Received.InitializeRequest);
    if (this.#client === undefined && this.#initializing !== undefined) {
      // What comes right behind initialize waits for it, so that both can be sent in one piece.
      return this.#initializing.then(() => {
        if (request.aborted) throw request.reason;
        return this.request(request);
      });
    }
    if (this.#client === undefined) {
      throw refuseNow("initialize must be called first");
    }
    this.#rules.checkReceived(request);
    if (method === "authenticate") this.#checkLogin(params as Received.AuthenticateRequest);
    const opens = entry?.opensSession;
    if (opens !== undefined) {
      checkReceivedSetup(this.#rules, method, params as object, this.#options.capabilities);
      return this.#sessions.open(request, opens);
    }
    const session = this.#sessions.of(params);
    if (session !== undefined && method === "session/prompt") return this.#sessions.prompt(request, session);
    if (session === undefined && sessionMethods.has(method)) throw refuseSession();
    if (session !== undefined && (method === "session/close" || method === "session/delete")) {
      return this.#sessions.end(session, () => this.#run(request));
    }
    const choice = session && checkChoice(method, params, session.choices);
    if (choice !== undefined) throw invalidArguments(choice);
    const isSetting = method === "session/set_config_option";
    return isSetting || entry?.resultMisfits !== undefined ? this.#answer(request, session) : this.#run(request);
  }

  async #answer(request: IncomingRequest, session: OpenSession | undefined): Promise<unknown> {
    const { method, entry } = request;
    const result = await this.#run(request);
    problemsIn(entry?.resultMisfits, result)?.forEach((problem) =>
      this.#rules.refuse(`The answer of ${method}`, problem),
    );
    return session === undefined ? result : this.#offered(method, result, session);
  }

  /** What a session offers to choose from, as its client gets it; what is chosen later is held to it. */
  #offered(method: string, made: unknown, session: OpenSession | undefined): unknown {
    const offered = offerOptions(this.#rules, method, made);
    this.#rules.refuse(method, checkOffer(offered, session?.choices ?? {}));
    const { modes, configOptions } = (offered ?? {}) as Choices;
    if (session !== undefined && (modes ?? configOptions) != null) {
      session.choices = { ...session.choices, ...(modes && { modes }), ...(configOptions && { configOptions }) };
    }
    return offered;
  }

  #initializeOnce(params: Received.InitializeRequest): Promise<unknown> {
    if (this.#initializing !== undefined) {
      throw refuseNow("initialize was called already");
    }
    this.#initializing = this.#initialize(params);
    // One that failed may be tried again.
    this.#initializing.catch(() => {
      this.#initializing = undefined;
    });
    return this.#initializing;
  }

  async #initialize(params: Received.InitializeRequest): Promise<InitializeResponse> {
    const capabilities = params.clientCapabilities ?? {};
    const offered = await this.#options.authMethods(capabilities);
    const terminal = isSupported(capabilities, ["auth", "terminal"]);
    // A terminal login is only for clients that can open one (AUTH-03).
    this.#authMethods = offered.filter((method) => terminal || method.type !== "terminal");
    this.#client = { capabilities, info: params.clientInfo ?? undefined, meta: params._meta ?? {} };
    // One version is spoken, so that is the answer to any (INIT-08, INIT-09).
    return {
      protocolVersion: this.#options.table.protocolVersion,
      agentCapabilities: this.#options.capabilities,
      agentInfo: this.#options.info,
      authMethods: [...this.#authMethods],
      ...metaOf(this.#options),
    };
  }

  #run(request: IncomingRequest): unknown {
    const { method, params } = request;
    return this.#options.handlers.get(method)?.(params, this.#context(method, params, request));
  }

  #context(method: string, params: unknown, owner: SignalOwner): object {
    const session = this.#sessions.of(params);
    const client = session !== undefined && sessionMethods.has(method) ? session.client : this.#peer();
    return new AgentRunContext(client, session, owner);
  }

  clientDetails(): ClientDetails {
    return this.#client ?? { capabilities: {}, info: undefined, meta: {} };
  }

  /** The client, without a session. Made once its details are known. */
  #peer(): object {
    const peer = this.#knownPeer ?? { ...createPeer<ClientMethods>(this.calls), ...this.clientDetails() };
    if (this.#client !== undefined) this.#knownPeer = peer;
    return peer;
  }

  #call(method: string, params: unknown, options?: CallOptions): Promise<unknown> {
    try {
      this.#rules.checkCall(method, params, this.methods.calledRequest(method));
    } catch (error) {
      return Promise.reject(error);
    }
    if (method === "session/request_permission") return this.#askPermission(method, params, options);
    if (method === "elicitation/create") return this.#elicit(method, params, options);
    return this.connection.request(method, params, options);
  }

  async #askPermission(method: string, params: unknown, options?: CallOptions): Promise<unknown> {
    const result = await this.connection.request(method, params, options);
    this.#checkOutcome(method, params, result);
    return result;
  }

  #elicit(method: string, params: unknown, options?: CallOptions): Promise<unknown> {
    const refuse = (problem: ArgumentProblem): Error => this.#rules.usageError(method, problem);
    return this.#elicitations.ask(params, refuse, () => this.connection.request(method, params, options));
  }

  async #notify(method: string, params: unknown): Promise<void> {
    const session = this.#sessions.of(params);
    if (method === "session/update") {
      const { sessionId: _, update, ...more } = params as { sessionId: string; update: SessionUpdate };
      if (session !== undefined) return this.update(session, update, Object.keys(more).length > 0 ? more : undefined);
      const offered = this.#checkUpdate(update, undefined);
      return this.connection.notify(method, offered === update ? params : { ...(params as object), update: offered });
    }
    this.#rules.checkNotification(method, params);
    if (method === "elicitation/complete" && !this.#elicitations.complete(params)) {
      const message = `${method} names no question that the client was asked and that is not over; it was left out`;
      return this.#rules.warn(method, message, "ELIC-20");
    }
    await this.connection.notify(method, params);
  }

  /** `more` are the members of the params beside the update. */
  update(session: OpenSession, made: SessionUpdate, more?: object): Promise<void> {
    if (session.isSilent && !this.connection.hasEnded) {
      return Promise.reject(new UsageError("session/update: the session has ended"));
    }
    const { isConcealed } = session;
    let update = made;
    let text: string | undefined;
    try {
      text = isConcealed || more !== undefined ? undefined : session.chunks.messageOf(made);
      if (text === undefined) update = this.#checkUpdate(made, session);
    } catch (error) {
      const isObject = typeof made === "object" && made !== null;
      return Promise.reject(isObject ? error : new UsageError("session/update: /update is no object"));
    }
    if (!isConcealed) return this.#send(session, update, more, text);
    session.whenRevealed(() => {
      // Its sender was told that it waits, and hears no more of it.
      this.#send(session, update, more).catch((error: unknown) =>
        this.connection.reportUnsent("session/update", error),
      );
    });
    return Promise.resolve();
  }

  #send(session: OpenSession, update: SessionUpdate, more: object | undefined, text?: string): Promise<void> {
    const params = text === undefined ? { sessionId: session.id, update, ...more } : undefined;
    let sent: Promise<void>;
    try {
      sent = this.connection.send("session/update", params, text);
    } catch (error) {
      const unsent = Promise.reject(error);
      return this.connection.hasEnded ? heard(unsent) : unsent;
    }
    if (this.#options.onUpdate !== undefined && !session.isReplaying) this.#tell(session, update);
    return sent;
  }

  /** Tells of an update that is on its way: what goes wrong there is no matter of whoever sent it. */
  #tell(session: OpenSession, update: SessionUpdate): void {
    try {
      this.#options.onUpdate?.(update, session);
    } catch (error) {
      this.connection.reportFailure("session/update", error);
    }
  }

  /** The same for an update that the client can do without (NOTC-01, NOTC-06). */
  async offer(session: OpenSession, update: SessionUpdate): Promise<boolean> {
    try {
      await this.update(session, update);
      return true;
    } catch (error) {
      if (!(error instanceof CapabilityError)) throw error;
      const { method, capability, message } = error;
      this.#report({ type: "left-out", level: "info", message: `${message}; it was left out`, method, capability });
      return false;
    }
  }

  /** An update as it may be sent. */
  #checkUpdate(made: SessionUpdate, session: OpenSession | undefined): SessionUpdate {
    const { substitute } = this.#options.table;
    const update = (substitute?.(made, session ?? {}, this.clientDetails().capabilities) ?? made) as SessionUpdate;
    this.#rules.checkVariant("session/update", "SessionUpdate", update.sessionUpdate, update);
    this.#rules.checkNotification("session/update", { update });
    if (!offersChoices(update)) return update;
    // What is left out are items of a list, so it is an update as before.
    return this.#offered("session/update", update, session) as SessionUpdate;
  }

  #checkOutcome(method: string, params: unknown, received: unknown): void {
    const problem = checkOutcome(params, received);
    if (problem === undefined) return;
    const { path, reason } = problem;
    const error = new ProtocolError(method, path, reason);
    this.#report({ type: "invalid-message", level: "warning", message: error.message, method, path, reason, received });
    throw error;
  }

  /** Only a method that was offered can be used, and never one that needs a terminal (AUTH-05, AUTH-06). */
  #checkLogin({ methodId }: Received.AuthenticateRequest): void {
    const offered = this.#authMethods.some((method) => method.id === methodId && method.type !== "terminal");
    if (!offered) throw invalidArguments({ path: ["methodId"], reason: "is no login method that was offered" });
  }
}
