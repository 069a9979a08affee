import type { Gate } from "@acp/schema";
import type {
  AuthMethod,
  ClientMethods,
  Implementation,
  InitializeResponse,
  Received,
  SessionUpdate,
} from "@acp/schema/v1";
import { type CallOptions, type Connection, createConnection } from "../connection/connection.ts";
import type { Dispatcher } from "../connection/dispatcher.ts";
import type { IncomingRequest } from "../connection/incoming-request.ts";
import { MethodIndex } from "../connection/method-index.ts";
import { refuseNow, refuseSession } from "../connection/refusal.ts";
import { sessionIdOf } from "../connection/session-id.ts";
import { type DiagnosticListener, guardListener } from "../diagnostics.ts";
import { asyncDispose } from "../dispose.ts";
import { type ErrorCode, ProtocolError, type WireError } from "../errors.ts";
import { createPeer, type MetaOptions, metaOf, type PeerCalls } from "../protocol/peer.ts";
import type { AgentRole } from "../protocol/role.ts";
import type { Transport } from "../transport/transport.ts";
import type { AgentConnection } from "./agent.ts";
import { type ClientDetails, sessionMethods } from "./agent-handlers.ts";
import { AgentRunContext } from "./agent-run-context.ts";
import type { UntypedSetup } from "./agent-session.ts";
import { AgentSessions } from "./agent-sessions.ts";
import { type AgentUpdates, createAgentUpdates } from "./agent-updates.ts";
import { type ArgumentProblem, invalidArguments, problemsIn } from "./arguments.ts";
import { CallRules, type GateMode } from "./call-rules.ts";
import { checkChoice } from "./choices.ts";
import { Elicitations } from "./elicitations.ts";
import { isGateOpen, isSupported, unadvertised } from "./gates.ts";
import type { UntypedHandler } from "./handler-table.ts";
import type { OpenSession } from "./open-session.ts";
import { checkOutcome } from "./permission.ts";
import type { SignalOwner } from "./run-context.ts";
import { checkReceivedSetup } from "./setup-rules.ts";

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

/** A client that has told nothing of itself. */
const unknownClient: ClientDetails = { capabilities: {}, info: undefined, meta: {} };

export function connectAgent(options: AgentConnectionOptions): AgentConnection {
  const side = new AgentSide(options);
  return {
    closed: side.connection.closed,
    close: () => side.connection.close(),
    [asyncDispose]: () => side.connection.close(),
  };
}

/** The agent's side of one connection: lifecycle, sessions and turns. */
class AgentSide implements Dispatcher {
  readonly connection: Connection;
  readonly #options: AgentConnectionOptions;
  readonly #report: DiagnosticListener;
  readonly #methods: MethodIndex;
  readonly #calls: PeerCalls;
  readonly #rules: CallRules;
  readonly #updates: AgentUpdates;
  readonly #sessions: AgentSessions;
  readonly #elicitations = new Elicitations();
  #client: ClientDetails | undefined;
  #knownPeer: object | undefined;
  #authMethods: readonly AuthMethod[] = [];
  #initializing: Promise<unknown> | undefined;

  constructor(options: AgentConnectionOptions) {
    this.#options = options;
    this.#report = guardListener(options.onDiagnostic);
    this.#methods = new MethodIndex(options.table);
    this.#rules = new CallRules({
      table: options.table,
      methods: this.#methods,
      mode: options.gate,
      report: this.#report,
      peer: "the client",
      isOpen: (gate: Gate) =>
        gate.kind !== "capability" || isGateOpen(gate, options.capabilities, this.#client?.capabilities),
    });
    this.connection = createConnection(
      {
        transport: options.transport,
        methods: this.#methods,
        report: this.#report,
        answersNoise: true,
        closingGrace: 1000,
      },
      this,
    );
    this.#calls = {
      request: (method, params, callOptions) => this.#call(method, params, callOptions),
      notify: (method, params) => this.#notify(method, params),
    };
    const clientDetails = (): ClientDetails => this.#client ?? unknownClient;
    this.#updates = createAgentUpdates({
      table: options.table,
      rules: this.#rules,
      connection: this.connection,
      clientDetails,
      onUpdate: options.onUpdate,
    });
    this.#sessions = new AgentSessions({
      table: options.table,
      handlers: options.handlers,
      capabilities: options.capabilities,
      connection: this.connection,
      link: { ...this.#updates, methods: this.#methods, calls: this.#calls, clientDetails },
      offer: this.#updates.offered,
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
    const { gates = [] } = this.#methods.handledNotification(method) ?? {};
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
    return session === undefined ? result : this.#updates.offered(method, result, session);
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

  /** The client, without a session. Made once its details are known. */
  #peer(): object {
    const peer = this.#knownPeer ?? { ...createPeer<ClientMethods>(this.#calls), ...(this.#client ?? unknownClient) };
    if (this.#client !== undefined) this.#knownPeer = peer;
    return peer;
  }

  #call(method: string, params: unknown, options?: CallOptions): Promise<unknown> {
    try {
      this.#rules.checkCall(method, params, this.#methods.calledRequest(method));
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
      if (session === undefined) return this.#updates.updateOther(params as object, update);
      return this.#updates.update(session, update, Object.keys(more).length > 0 ? more : undefined);
    }
    this.#rules.checkNotification(method, params);
    if (method === "elicitation/complete" && !this.#elicitations.complete(params)) {
      const message = `${method} names no question that the client was asked and that is not over; it was left out`;
      return this.#rules.warn(method, message, "ELIC-20");
    }
    await this.connection.notify(method, params);
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
