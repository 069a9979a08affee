import { type Gate, type RoleTable, unknownVariant } from "@acp/schema";
import type { AgentMethods, Implementation, Received } from "@acp/schema/v1";
import { Connection, type Dispatcher, sessionIdOf } from "../connection/connection.ts";
import type { IncomingRequest } from "../connection/incoming-request.ts";
import { refuseSession } from "../connection/refusal.ts";
import { type DiagnosticListener, guardListener } from "../diagnostics.ts";
import { asyncDispose } from "../dispose.ts";
import { ProtocolError, TimeoutError } from "../errors.ts";
import { createPeer, type Peer, type PeerCalls, type RequestOptions } from "../protocol/peer.ts";
import type { Transport } from "../transport/transport.ts";
import { checkArguments, invalidArguments } from "./arguments.ts";
import type { AttachedSession } from "./attached-session.ts";
import { CallRules, type GateMode } from "./call-rules.ts";
import { checkLoginMethod, type ChooseLogin, Login } from "./client-login.ts";
import { ClientSessions } from "./client-sessions.ts";
import type { ConnectedAgent } from "./connected-agent.ts";
import { isGateOpen, isSupported } from "./gates.ts";
import type { UntypedHandler } from "./handler-table.ts";
import { cancelledOutcome, rejectionOf } from "./permission.ts";
import { backgroundTimer } from "../timers.ts";

/** What a client's connection is made from. */
export interface ClientConnectionOptions {
  readonly table: RoleTable;
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
}

const permission = "session/request_permission";

export async function connectClient(options: ClientConnectionOptions): Promise<ConnectedAgent> {
  const side = new ClientSide(options);
  try {
    return await side.initialize();
  } catch (error) {
    await side.connection.close();
    throw error;
  }
}

/** The client's side of one connection: lifecycle, sessions, and the agent's requests. */
class ClientSide implements Dispatcher {
  readonly connection: Connection;
  readonly #options: ClientConnectionOptions;
  readonly #report: DiagnosticListener;
  readonly #rules: CallRules;
  readonly #sessions: ClientSessions;
  readonly #calls: PeerCalls;
  readonly #peer: Peer<AgentMethods>;
  readonly #login: Login | undefined;
  #agent: Received.InitializeResponse | undefined;

  constructor(options: ClientConnectionOptions) {
    this.#options = options;
    this.#report = guardListener(options.onDiagnostic);
    this.#rules = new CallRules({
      table: options.table,
      mode: options.gate,
      report: this.#report,
      peer: "the agent",
      isOpen: (gate, params) => this.#isOpen(gate, params),
    });
    this.connection = new Connection(
      {
        transport: options.transport,
        table: options.table,
        report: this.#report,
        answersNoise: false,
        closingGrace: 0,
      },
      this,
    );
    this.#calls = {
      request: (method, params, callOptions) => this.#call(method, params, callOptions),
      notify: async (method, params) => {
        this.#rules.checkNotification(method, params);
        await this.connection.notify(method, params);
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
            authenticate: (methodId) => this.#call("authenticate", { methodId }),
          });
    this.#sessions = new ClientSessions({
      table: options.table,
      calls: this.#calls,
      connection: this.connection,
      report: this.#report,
      hasUpdateHandler: options.handlers.has("session/update"),
    });
    this.connection.start();
  }

  /** The opening call of the connection (INIT-01 to INIT-04). */
  async initialize(): Promise<ConnectedAgent> {
    const { startTimeout, signal, table, info, capabilities } = this.#options;
    const limit = new AbortController();
    const stop = backgroundTimer(() => {
      const message = `The agent did not answer initialize within ${startTimeout} ms`;
      limit.abort(new TimeoutError("initialize", startTimeout, message));
    }, startTimeout);
    const abort = (): void => limit.abort(signal?.reason);
    if (signal?.aborted) abort();
    signal?.addEventListener("abort", abort, { once: true });
    try {
      const params = { protocolVersion: table.protocolVersion, clientCapabilities: capabilities, clientInfo: info };
      const result = await this.connection.request("initialize", params, { signal: limit.signal });
      this.#agent = result as Received.InitializeResponse;
    } finally {
      stop();
      signal?.removeEventListener("abort", abort);
    }
    const { protocolVersion } = this.#agent;
    if (protocolVersion !== table.protocolVersion) {
      const reason = `is ${protocolVersion}, but only version ${table.protocolVersion} is spoken here`;
      throw new ProtocolError("initialize", ["result", "protocolVersion"], reason);
    }
    return this.#connectedAgent(this.#agent);
  }

  handles(kind: "request" | "notification", method: string): boolean {
    if (this.#options.handlers.has(method)) return true;
    return kind === "request" ? method === permission : method === "session/update";
  }

  isUnclaimed(sessionId: string): boolean {
    return this.#sessions.isUnclaimed(sessionId);
  }

  kept(sessionId: string): void {
    this.#sessions.kept(sessionId);
  }

  ended(reason: Error, wanted: boolean): void {
    this.#sessions.endAll(reason, wanted ? undefined : reason);
  }

  notification(method: string, params: unknown): unknown {
    const session = this.#sessions.of(params);
    if (method === "session/update") session?.receive((params as Received.SessionNotification).update);
    const handler = this.#options.handlers.get(method);
    return handler?.(
      params,
      this.#context(session, () => this.connection.signal),
    );
  }

  request(request: IncomingRequest): unknown {
    const { method, params } = request;
    const session = this.#sessions.askedFor(params);
    if (session === undefined && sessionIdOf(params) !== undefined && !method.startsWith("_")) {
      throw refuseSession();
    }
    const problem = checkArguments(method, params);
    if (problem !== undefined) throw invalidArguments(problem);
    if (method === permission && session !== undefined) return this.#askPermission(request, session);
    const handler = this.#options.handlers.get(method);
    this.#checkMode(method, params);
    return handler?.(
      params,
      this.#context(session, () => request.signal),
    );
  }

  #askPermission(request: IncomingRequest, session: AttachedSession): unknown {
    if (session.isCancelling) return cancelledOutcome;
    const handler = this.#options.handlers.get(permission);
    if (handler === undefined) {
      const message = `${permission} was rejected: there is no handler to ask the user`;
      this.#report({ type: "rule", level: "warning", message, method: permission, rule: "INIT-18" });
      return rejectionOf(request.params);
    }
    return handler(
      request.params,
      this.#context(session, () => request.signal),
    );
  }

  /** A request in a mode the client did not advertise is refused (ELIC-02). */
  #checkMode(method: string, params: unknown): void {
    for (const gate of this.#options.table.handles.requests[method]?.gates ?? []) {
      if (gate.kind !== "capability" || gate.when === undefined) continue;
      const { member, value } = gate.when;
      const given = (params as Record<string, unknown>)[member];
      // What is not known cannot have been advertised, and must not pass for something known (ELIC-31).
      if (given === unknownVariant) throw invalidArguments({ path: [member], reason: "is not known" });
      if (given !== value) continue;
      if (isSupported(this.#options.capabilities, gate.path)) continue;
      throw invalidArguments({ path: [member], reason: `is not supported: ${gate.path.join(".")} is not advertised` });
    }
  }

  #context(session: AttachedSession | undefined, signal: () => AbortSignal): object {
    return {
      agent: session?.agent ?? this.#peer,
      session,
      get signal() {
        return signal();
      },
    };
  }

  #call(method: string, params: unknown, options: RequestOptions = {}): Promise<unknown> {
    const call = (): Promise<unknown> => this.#send(method, params, options);
    if (this.#login === undefined || method === "authenticate" || method === "logout") return call();
    const session = this.#sessions.of(params);
    const before = session?.received;
    return this.#login.around(method, call, {
      signal: options.signal,
      // Of a turn that had begun, or that nobody wants any more, nothing is done twice.
      mayRepeat: () => method !== "session/prompt" || (session?.received === before && !session?.isCancelling),
    });
  }

  async #send(method: string, params: unknown, options: RequestOptions): Promise<unknown> {
    this.#rules.checkRequest(method, params);
    if (method === "authenticate") {
      checkLoginMethod((params as { readonly methodId?: unknown }).methodId, this.#agent?.authMethods ?? []);
    }
    const opens = this.#options.table.calls.requests[method]?.opensSession;
    if (method === "session/prompt" || opens !== undefined) this.#checkContent(method, params);
    if (opens !== undefined) return this.#sessions.open(method, params, opens, options);
    const result = await this.connection.request(method, params, options);
    if (method === "session/close" || method === "session/delete") this.#sessions.end(params, method);
    return result;
  }

  /** Content kinds, MCP transports and what else a session is opened with are bound to capabilities of their own (PROM-03, MCP-04, SESS-22). */
  #checkContent(method: string, params: unknown): void {
    if (method === "session/prompt") {
      const { prompt } = params as { readonly prompt: readonly { readonly type: string }[] };
      for (const block of prompt) this.#rules.checkVariant(method, "ContentBlock", block.type, block);
      return;
    }
    const { mcpServers } = params as { readonly mcpServers?: readonly { readonly type?: string }[] | null };
    for (const server of mcpServers ?? [])
      this.#rules.checkVariant(method, "McpServer", server.type ?? "stdio", server);
    this.#rules.checkSetup(method, params as object);
  }

  #isOpen(gate: Gate, params: unknown): boolean {
    if (gate.kind === "capability") return isGateOpen(gate, this.#options.capabilities, this.#agent?.agentCapabilities);
    if (gate.kind === "session") {
      const session = this.#sessions.of(params);
      return session !== undefined && (session as unknown as Record<string, unknown>)[gate.member] !== undefined;
    }
    const { methodId } = params as { readonly methodId?: string };
    const offered = this.#agent?.authMethods ?? [];
    return offered.some(
      (method) => method.id === methodId && (gate.type === undefined || (method.type ?? "agent") === gate.type),
    );
  }

  async #opened(method: string, params: object, options: RequestOptions | undefined): Promise<AttachedSession> {
    const result = await this.#call(method, { mcpServers: [], ...params }, options);
    // The params of a fork name the session it comes from.
    const named = this.#options.table.calls.requests[method]?.opensSession === "params" ? params : result;
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
        forkSession: (params: object, options?: RequestOptions) => this.#opened("session/fork", params, options),
      }),
      session: (sessionId) => this.#sessions.get(sessionId),
      authenticate: async (methodId, options) => {
        await this.#call("authenticate", { methodId }, options);
      },
      signal: this.connection.signal,
      closed: this.connection.closed,
      close: () => this.connection.close(),
      [asyncDispose]: () => this.connection.close(),
    };
  }
}
