import type { Gate, RoleTable } from "@acp/schema";
import type {
  AuthMethod,
  ClientMethods,
  Implementation,
  InitializeResponse,
  Received,
  SessionUpdate,
} from "@acp/schema/v1";
import { Connection, type Dispatcher, sessionIdOf } from "../connection/connection.ts";
import type { IncomingRequest } from "../connection/incoming-request.ts";
import { wireErrors } from "../connection/wire-errors.ts";
import { type DiagnosticListener, guardListener } from "../diagnostics.ts";
import { asyncDispose } from "../dispose.ts";
import { ErrorCode, RequestError, UsageError } from "../errors.ts";
import { createPeer, type PeerCalls, type RequestOptions } from "../protocol/peer.ts";
import type { Transport } from "../transport/transport.ts";
import type { AgentConnection } from "./agent.ts";
import { type ClientDetails, sessionMethods } from "./agent-handlers.ts";
import type { SessionSetup } from "./agent-session.ts";
import { runTurn } from "./agent-turn-run.ts";
import { checkArguments, checkToolCall, invalidArguments } from "./arguments.ts";
import { CallRules, type GateMode } from "./call-rules.ts";
import { isSupported } from "./gates.ts";
import type { UntypedHandler } from "./handler-table.ts";
import { OpenSession, type SessionLink } from "./open-session.ts";
import { checkOutcome } from "./permission.ts";
import { checkPromptContent } from "./prompt-content.ts";
import { backgroundTimer } from "./timers.ts";

/** What an agent's connection is made from. */
export interface AgentConnectionOptions {
  readonly table: RoleTable;
  readonly handlers: ReadonlyMap<string, UntypedHandler>;
  readonly info: Implementation;
  readonly capabilities: object;
  authMethods(client: Received.ClientCapabilities): Promise<readonly AuthMethod[]>;
  session(setup: SessionSetup): unknown;
  onUpdate: ((update: SessionUpdate, session: OpenSession) => void) | undefined;
  readonly gate: GateMode;
  readonly transport: Transport;
  readonly onDiagnostic: DiagnosticListener | undefined;
}

/** How long `session/close` waits for the running turn to end, in milliseconds. */
const closeGrace = 5000;

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
  readonly #rules: CallRules;
  readonly #sessions = new Map<string, OpenSession>();
  readonly #calls: PeerCalls;
  readonly #link: SessionLink;
  readonly #cancelled = new WeakSet<IncomingRequest>();
  #client: ClientDetails | undefined;
  #authMethods: readonly AuthMethod[] = [];
  #initializing: Promise<unknown> | undefined;

  constructor(options: AgentConnectionOptions) {
    this.#options = options;
    this.#report = guardListener(options.onDiagnostic);
    this.#rules = new CallRules({
      table: options.table,
      mode: options.gate,
      report: this.#report,
      peer: "the client",
      isOpen: (gate: Gate) => gate.kind !== "capability" || isSupported(this.#client?.capabilities, gate.path),
    });
    this.connection = new Connection(
      {
        transport: options.transport,
        table: options.table,
        report: this.#report,
        answersNoise: true,
        closingGrace: 1000,
      },
      this,
    );
    this.#calls = {
      request: (method, params, callOptions) => this.#call(method, params, callOptions),
      notify: async (method, params) => {
        this.#rules.checkNotification(method, params);
        if (method === "session/update") this.#checkUpdate((params as { update: SessionUpdate }).update);
        await this.connection.notify(method, params);
      },
    };
    this.#link = {
      table: options.table,
      calls: this.#calls,
      clientDetails: () => this.#details(),
      update: (sessionId, update) => this.#update(sessionId, update),
    };
    this.connection.start();
  }

  handles(kind: "request" | "notification", method: string): boolean {
    if (this.#options.handlers.has(method)) return true;
    return kind === "request" ? method === "initialize" || method === "session/new" : method === "session/cancel";
  }

  isUnclaimed(): boolean {
    return false;
  }

  kept(): void {}

  ended(reason: Error): void {
    for (const session of this.#sessions.values()) session.end(reason);
    this.#sessions.clear();
  }

  notification(method: string, params: unknown): unknown {
    if (method === "session/cancel") this.#cancel(sessionIdOf(params));
    return this.#options.handlers.get(method)?.(params, this.#context(method, params, this.connection.signal));
  }

  request(request: IncomingRequest): unknown {
    const { method, params } = request;
    if (method === "initialize") return this.#initializeOnce(params as Received.InitializeRequest);
    if (this.#client === undefined && this.#initializing !== undefined) {
      // What comes right behind initialize waits for it, so that both can be sent in one piece.
      return this.#initializing.then(() => this.request(request));
    }
    if (this.#client === undefined) {
      throw new RequestError(wireErrors.invalidRequest("initialize must be called first"));
    }
    const problem = checkArguments(method, params);
    if (problem !== undefined) throw invalidArguments(problem);
    const opens = this.#options.table.handles.requests[method]?.opensSession;
    if (opens !== undefined) return this.#withLoginHint(this.#openSession(request, opens));
    const session = this.#sessions.get(sessionIdOf(params) ?? "");
    if (sessionMethods.has(method) && session === undefined) {
      throw RequestError.resourceNotFound("There is no such open session");
    }
    if (session !== undefined && method === "session/prompt") return this.#prompt(request, session);
    if (session !== undefined && (method === "session/close" || method === "session/delete")) {
      return this.#endSession(request, session);
    }
    return this.#run(request);
  }

  #initializeOnce(params: Received.InitializeRequest): Promise<unknown> {
    if (this.#initializing !== undefined) {
      throw new RequestError(wireErrors.invalidRequest("initialize was called already"));
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
    this.#authMethods = offered.filter((method) => terminal || !("type" in method && method.type === "terminal"));
    this.#client = { capabilities, info: params.clientInfo ?? undefined };
    // One version is spoken, so that is the answer to any (INIT-08, INIT-09).
    return {
      protocolVersion: this.#options.table.protocolVersion,
      agentCapabilities: this.#options.capabilities,
      agentInfo: this.#options.info,
      authMethods: [...this.#authMethods],
    };
  }

  async #openSession(request: IncomingRequest, opens: "params" | "result"): Promise<unknown> {
    const { method, params } = request;
    const id = opens === "params" ? (sessionIdOf(params) ?? "") : crypto.randomUUID();
    this.#sessions.get(id)?.end(new UsageError(`The session was opened again by ${method}`));
    const session = new OpenSession(id, params, this.#link);
    // A loaded session is there while its history is replayed.
    if (opens === "params") this.#sessions.set(id, session);
    try {
      const { cwd, additionalDirectories, mcpServers, signal } = session;
      session.state = await this.#options.session({
        method,
        sessionId: id,
        cwd,
        additionalDirectories,
        mcpServers,
        signal,
      });
      const handler = this.#options.handlers.get(method);
      const context = { client: session.client, session, signal: request.signal };
      const result = handler === undefined ? { sessionId: id } : await handler(params, context);
      if (opens === "params") return result;
      const chosen = sessionIdOf(result);
      if (chosen === undefined) throw new UsageError(`The handler of ${method} returned no sessionId`);
      if (this.#sessions.has(chosen))
        throw new UsageError(`The handler of ${method} returned the id of an open session`);
      session.id = chosen;
      this.#sessions.set(chosen, session);
      if (this.connection.signal.aborted) session.end(this.connection.signal.reason);
      return result;
    } catch (error) {
      if (this.#sessions.get(id) === session) this.#sessions.delete(id);
      session.end(error);
      throw error;
    }
  }

  #prompt(request: IncomingRequest, session: OpenSession): unknown {
    if (session.turn !== undefined) {
      throw new RequestError(wireErrors.invalidRequest("a turn is running in this session already"));
    }
    const problem = checkPromptContent(this.#options.table, this.#options.capabilities, request.params);
    if (problem !== undefined) throw invalidArguments(problem);
    if (this.#cancelled.has(request)) return { stopReason: "cancelled" };
    return runTurn({
      request,
      session,
      handler: this.#options.handlers.get("session/prompt") as UntypedHandler,
      requestPermission: async (toolCall, options) => {
        const params = { sessionId: session.id, toolCall, options };
        const response = (await this.#call("session/request_permission", params)) as Received.RequestPermissionResponse;
        return response.outcome;
      },
      reportFailure: (error) => this.connection.reportFailure("session/prompt", error),
    });
  }

  #cancel(sessionId: string | undefined): void {
    const reason = new DOMException("The client cancelled the turn", "AbortError");
    const session = sessionId === undefined ? undefined : this.#sessions.get(sessionId);
    session?.turn?.abort(reason);
    // A prompt that has arrived but not started is cancelled as well.
    for (const request of this.connection.unanswered()) {
      if (request.method === "session/prompt" && sessionIdOf(request.params) === sessionId)
        this.#cancelled.add(request);
    }
  }

  async #endSession(request: IncomingRequest, session: OpenSession): Promise<unknown> {
    const reason = new DOMException("The session was closed", "AbortError");
    const { turn } = session;
    if (turn !== undefined) {
      turn.abort(reason);
      // The cancelled prompt is answered first (SESS-15), unless its handler does not listen.
      await new Promise<void>((resolve) => {
        const stop = backgroundTimer(resolve, closeGrace);
        void turn.answered.then(() => {
          stop();
          resolve();
        });
      });
    }
    const result = await this.#run(request);
    this.#sessions.delete(session.id);
    session.end(reason);
    return result;
  }

  #run(request: IncomingRequest): unknown {
    const handler = this.#options.handlers.get(request.method);
    return handler?.(
      request.params,
      this.#context(request.method, request.params, () => request.signal),
    );
  }

  #context(method: string, params: unknown, signal: AbortSignal | (() => AbortSignal)): object {
    const session = this.#sessions.get(sessionIdOf(params) ?? "");
    const client = session !== undefined && sessionMethods.has(method) ? session.client : this.#peer();
    return {
      client,
      session,
      get signal() {
        return typeof signal === "function" ? signal() : signal;
      },
    };
  }

  #details(): ClientDetails {
    return this.#client ?? { capabilities: {}, info: undefined };
  }

  #peer(): object {
    return { ...createPeer<ClientMethods>(this.#calls), ...this.#details() };
  }

  async #call(method: string, params: unknown, options?: RequestOptions): Promise<unknown> {
    this.#rules.checkRequest(method, params);
    const result = await this.connection.request(method, params, options);
    if (method === "session/request_permission") checkOutcome(params, result);
    return result;
  }

  #update(sessionId: string, update: SessionUpdate): Promise<void> {
    try {
      this.#checkUpdate(update);
    } catch (error) {
      return Promise.reject(error);
    }
    const sent = this.connection.notify("session/update", { sessionId, update });
    const session = this.#sessions.get(sessionId);
    if (session !== undefined) this.#options.onUpdate?.(update, session);
    return sent;
  }

  #checkUpdate(update: SessionUpdate): void {
    this.#rules.checkVariant("session/update", "SessionUpdate", update.sessionUpdate, update);
    if (update.sessionUpdate !== "tool_call" && update.sessionUpdate !== "tool_call_update") return;
    const problem = checkToolCall(update);
    if (problem === undefined) return;
    throw new UsageError(`session/update: /${problem.path.join("/")}: ${problem.reason}`);
  }

  /** Tells a client that has to log in how it can (AUTH-09). */
  async #withLoginHint(answer: Promise<unknown>): Promise<unknown> {
    try {
      return await answer;
    } catch (error) {
      if (!(error instanceof RequestError) || error.method !== undefined) throw error;
      if (error.wire.code !== ErrorCode.authRequired || error.wire.data !== undefined) throw error;
      const data = { reason: "auth_required", authMethods: this.#authMethods };
      throw new RequestError({ ...error.wire, data }, { cause: error });
    }
  }
}
