import type { AgentMethods, Implementation, Received } from "@acp/schema/v1/types";
import { answersInOrder, enqueueAfterNotifications } from "../rpc/answer-order.ts";
import { type CallOptions, type Connection, createConnection, type OnResult } from "../rpc/connection.ts";
import { asyncDispose, ignoreRejection } from "../base/promises.ts";
import type { IncomingRequest } from "../rpc/incoming-requests.ts";
import { createMethodIndex } from "../rpc/method-index.ts";
import type { CalledEntry } from "../rpc/outgoing-requests.ts";
import { refuseNow, refuseSession } from "../rpc/refusal.ts";
import { type QueuedNotification, readSessionId } from "../rpc/lanes.ts";
import { type DiagnosticListener, guardListener } from "../base/diagnostics.ts";
import { createPeer, type MetaOptions, pickMeta, type Peer, type PeerCalls } from "../rpc/peer.ts";
import type { ClientRole } from "../rpc/role.ts";
import { settledWithin } from "../base/timers.ts";
import type { Transport } from "../transport/transport.ts";
import { invalidArguments } from "../session/rules/arguments.ts";
import { AttachedSession } from "./attached-session.ts";
import type { GateMode } from "../session/rules/call-rules.ts";
import { type ChooseLogin, Login } from "../session/client/client-login.ts";
import { ClientRunContext } from "../session/client/client-run-context.ts";
import { createClientRules } from "./client-rules.ts";
import { ClientSessions, endedWhileOpening } from "../session/client/client-sessions.ts";
import type { ConnectedAgent } from "./connected-agent.ts";
import { createElicitations } from "../session/rules/elicitations.ts";
import { endsSession } from "../session/rules/ending-methods.ts";
import type { UntypedHandler } from "../session/handler-table.ts";
import { handshake } from "../session/client/handshake.ts";
import { cancelledOutcome, checkOutcome, rejectionOf } from "../session/rules/permission.ts";
import { checkMode } from "../session/rules/question-modes.ts";
import { createTextChunkReader } from "../session/text-chunks/read-text-chunks.ts";
import type { SignalOwner } from "../session/run-context.ts";
import { withdraw, withdrawnAnswers } from "../session/client/withdrawn.ts";

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
  const { connection, initialize } = createClientSide(options);
  try {
    return await initialize();
  } catch (error) {
    // An agent that does not read cannot hold up what its caller has to know.
    await settledWithin(connection.close(), 1000);
    throw error;
  }
}

/** The client's side of one connection: lifecycle, sessions, and the agent's requests. */
function createClientSide(options: ClientConnectionOptions): {
  readonly connection: Connection;
  initialize(): Promise<ConnectedAgent>;
} {
  const { table, handlers, capabilities, authenticate } = options;
  const report = guardListener(options.onDiagnostic);
  const methods = createMethodIndex(table);
  const elicitations = createElicitations();
  /** What the agent has told of itself. */
  let told: Received.InitializeResponse | undefined;
  const rules = createClientRules({
    table,
    methods,
    capabilities,
    mode: options.gate,
    report,
    agent: () => told,
    sessionOf: (params) => sessions.of(params),
  });
  const connection = createConnection(
    {
      transport: options.transport,
      methods,
      report,
      answersNoise: false,
      closingGrace: 0,
      fastPath: createTextChunkReader(),
      answers: answersInOrder,
    },
    {
      handles,
      onQueued,
      onHeld: (sessionId) => sessions.onHeld(sessionId),
      abandoned: (request) =>
        sessions.abandoned(request, request.method === "session/prompt" ? request.sessionId : undefined),
      ended,
      notification,
      request: answerRequest,
    },
  );
  const calls: PeerCalls = { request: call, notify };
  const peer: Peer<AgentMethods> = createPeer(calls);
  const login =
    authenticate === undefined
      ? undefined
      : new Login({
          choose: authenticate,
          signal: connection.signal,
          agent: () => ({ agent: told?.agentInfo ?? undefined, methods: told?.authMethods ?? [] }),
          authenticate: (methodId, signal) => call("authenticate", { methodId }, { signal }),
        });
  const sessions = new ClientSessions<AttachedSession>({
    table,
    methods,
    capabilities,
    calls,
    connection,
    report,
    hasUpdateHandler: handlers.has("session/update"),
    create: (id, params, link) => new AttachedSession(id, params, link),
  });
  connection.start();
  return { connection, initialize };

  function notify(method: string, params: unknown): Promise<void> {
    const sent = tell(method, params);
    // The agent may go at any time, which `closed` tells.
    return connection.hasEnded ? ignoreRejection(sent) : sent;
  }

  async function tell(method: string, params: unknown): Promise<void> {
    rules.checkNotification(method, params);
    const sent = connection.notify(method, params);
    if (method === "session/cancel") sessions.of(params)?.markCancelled();
    await sent;
  }

  /** The opening call of the connection (INIT-01 to INIT-04). */
  async function initialize(): Promise<ConnectedAgent> {
    const params = {
      protocolVersion: table.protocolVersion,
      clientCapabilities: capabilities,
      clientInfo: options.info,
      ...pickMeta(options),
    };
    // Known the moment it arrives: what the agent asks may stand right behind it.
    const agent = await handshake(connection, params, options, (answer) => {
      told = answer as Received.InitializeResponse;
    });
    return connectedAgent(agent as Received.InitializeResponse);
  }

  function handles(kind: "request" | "notification", method: string): boolean {
    if (handlers.has(method)) return true;
    if (kind === "request") return method === permission;
    return method === "session/update" || method === "elicitation/complete";
  }

  function onQueued(sessionId: string, method: string, params: unknown): boolean {
    sessions.subagents?.onQueued(method, params);
    return sessions.holdUnclaimed(sessionId);
  }

  function ended(reason: Error, wanted: boolean): void {
    for (const request of connection.pendingRequests()) withdraw(request, reason);
    sessions.endAll(reason, wanted ? undefined : reason);
  }

  function notification({ method, params, isChecked }: QueuedNotification): unknown {
    const session = sessions.told(params);
    if (!isChecked) rules.checkTold(method, params, session);
    if (method === "elicitation/complete" && !elicitations.complete(params)) {
      const message = `${method} names no question that is open; it was ignored`;
      return rules.warn(method, message, "ELIC-21");
    }
    if (method === "session/update") session?.receive((params as Received.SessionNotification).update);
    sessions.subagents?.onHandled(method, params);
    const handler = handlers.get(method);
    return handler?.(params, session === undefined ? context(undefined, connection) : toldContext(session));
  }

  /** What handlers of a session's notifications get: always the same, so it is made once. */
  function toldContext(session: AttachedSession): object {
    session.context ??= Object.freeze(context(session, connection));
    return session.context;
  }

  function answerRequest(request: IncomingRequest): unknown {
    const { method, params, entry } = request;
    if (told === undefined) throw refuseNow("initialize has not been answered");
    const session = sessions.askedFor(params);
    // An extension may mean something else by it.
    if (session === undefined && readSessionId(params) !== undefined && entry !== undefined) throw refuseSession();
    rules.checkReceived(request);
    if (method === permission && session !== undefined) return askPermission(request, session);
    const handler = handlers.get(method);
    checkMode(request, capabilities);
    const withdrawn = withdrawnAnswers.get(method);
    const run = (): unknown =>
      withdrawn !== undefined && sessions.isWithdrawn(params, session)
        ? withdrawn
        : handler?.(params, context(session, request));
    return method === "elicitation/create" ? elicitations.ask(params, invalidArguments, run, request) : run();
  }

  function askPermission(request: IncomingRequest, session: AttachedSession): unknown {
    session.asked(request.params as Received.RequestPermissionRequest);
    if (sessions.isWithdrawn(request.params, session)) return cancelledOutcome;
    const handler = handlers.get(permission);
    if (handler === undefined) {
      const message = `${permission} was rejected: there is no handler to ask the user`;
      rules.warn(permission, message, "INIT-18", { sessionId: session.id });
      return rejectionOf(request.params);
    }
    return askUser(handler, request, session);
  }

  async function askUser(
    handler: UntypedHandler,
    request: IncomingRequest,
    session: AttachedSession,
  ): Promise<unknown> {
    const { params } = request;
    const outcome = await handler(params, context(session, request));
    rules.refuse(`The answer of ${permission}`, checkOutcome(params, outcome));
    return outcome;
  }

  function context(session: AttachedSession | undefined, owner: SignalOwner): object {
    return new ClientRunContext(session?.agent ?? peer, session, owner);
  }

  function call(method: string, params: unknown, callOptions?: CallOptions): Promise<unknown> {
    const entry = methods.calledRequest(method);
    if (entry?.opensSession !== undefined) return open(method, params, entry, entry.opensSession, callOptions);
    if (login === undefined || method === "authenticate" || method === "logout") {
      return send(method, params, entry, callOptions);
    }
    const session = sessions.of(params);
    const before = session?.received;
    return login.around(method, () => send(method, params, entry, callOptions), {
      signal: callOptions?.signal,
      withdrawal: session?.withdrawalOf(method),
      // Of a turn that had begun, nothing is done twice.
      mayRepeat: () =>
        method !== "session/prompt" || session?.received === before || session?.received === session?.receivedBefore,
    });
  }

  function open(
    method: string,
    params: unknown,
    entry: CalledEntry,
    named: "params" | "result",
    callOptions: CallOptions | undefined,
  ): Promise<unknown> {
    const { checkResult } = rules;
    const signal = callOptions?.signal;
    return sessions.open({
      method,
      params,
      named,
      check: () => check(method, params, entry, sessions.of(params)),
      send: (onResult) =>
        connection.request(method, params, callOptions, (result, request) => {
          checkResult(result, request);
          onResult(result);
        }),
      withLogin: (attempt, session) => {
        if (login === undefined) return attempt();
        // It is not over with another session of that name.
        const withdrawal = session?.withdrawalOf(method);
        return login.around(method, attempt, { signal, withdrawal, mayRepeat: () => true });
      },
    });
  }

  function check(method: string, params: unknown, entry: CalledEntry, session: AttachedSession | undefined): void {
    // What has ended with it must not pass for something that the agent lacks.
    if (connection.hasEnded) throw connection.signal.reason;
    rules.checkRequest(method, params, entry, session);
  }

  function send(
    method: string,
    params: unknown,
    entry: CalledEntry,
    callOptions: CallOptions | undefined,
  ): Promise<unknown> {
    const session = sessions.of(params);
    try {
      check(method, params, entry, session);
    } catch (error) {
      return Promise.reject(error);
    }
    const deliver = session === undefined ? rules.checkResult : onResultOf(method, params, session);
    // Without a promise of its own, and checked on delivery: a tenth of what a client's side of a prompt takes.
    if (session === undefined || !endsSession.test(method)) {
      return connection.request(method, params, callOptions, deliver);
    }
    return sessions.end(session, method, () => connection.request(method, params, callOptions, deliver));
  }

  /** What is chosen counts from the moment the answer arrives: an update that stands right behind it is newer. */
  function onResultOf(method: string, params: unknown, session: AttachedSession): OnResult {
    const { checkResult } = rules;
    if (method !== "session/set_mode" && method !== "session/set_config_option") return checkResult;
    return (result, request) => {
      checkResult(result, request);
      const take = (): void => session.chosen(method, params, result);
      take();
      // And once more behind the updates that stand before it and wait for a handler: they are older.
      if (connection.lanes.at(session.id) !== undefined)
        enqueueAfterNotifications(connection.lanes, session.id, 0, take);
    };
  }

  async function opened(
    method: string,
    params: object,
    callOptions: CallOptions | undefined,
  ): Promise<AttachedSession> {
    const { mcpServers } = params as { readonly mcpServers?: unknown };
    const result = await call(method, { ...params, mcpServers: mcpServers ?? [] }, callOptions);
    // The params of a fork name the session it comes from.
    const named = methods.calledRequest(method)?.opensSession === "params" ? params : result;
    const session = sessions.of(named);
    if (session === undefined) throw connection.signal.reason ?? endedWhileOpening(method);
    return session;
  }

  function connectedAgent(agent: Received.InitializeResponse): ConnectedAgent {
    return {
      protocolVersion: agent.protocolVersion,
      info: agent.agentInfo ?? undefined,
      capabilities: agent.agentCapabilities ?? {},
      authMethods: agent.authMethods ?? [],
      ...peer,
      newSession: (params, callOptions) => opened("session/new", params, callOptions),
      loadSession: (params, callOptions) => opened("session/load", params, callOptions),
      resumeSession: (params, callOptions) => opened("session/resume", params, callOptions),
      ...("session/fork" in table.calls.requests && {
        forkSession: (params: object, callOptions?: CallOptions) => opened("session/fork", params, callOptions),
      }),
      session: (sessionId) => sessions.get(sessionId),
      meta: agent._meta ?? {},
      authenticate: async (methodId, callOptions) => {
        await call("authenticate", { methodId, ...pickMeta(callOptions) }, callOptions);
      },
      signal: connection.signal,
      closed: connection.closed,
      close: () => connection.close(),
      [asyncDispose]: () => connection.close(),
    };
  }
}
