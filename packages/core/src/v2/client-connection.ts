import type { QueuedNotification } from "../rpc/lanes.ts";
import type { AgentMethods, Implementation, Received } from "@acp/schema/v2/types";
import { answersInOrder, enqueueAfterNotifications } from "../rpc/answer-order.ts";
import { type CallOptions, type Connection, createConnection, type OnResult } from "../rpc/connection.ts";
import { asyncDispose, ignoreRejection, isThenable } from "../base/promises.ts";
import { createMethodIndex } from "../rpc/method-index.ts";
import type { CalledEntry } from "../rpc/outgoing-requests.ts";
import { type DiagnosticListener, guardListener } from "../base/diagnostics.ts";
import { ErrorCode, RequestError } from "../base/errors.ts";
import { createPeer, type MetaOptions, pickMeta, type Peer, type PeerCalls } from "../rpc/peer.ts";
import type { ClientRole } from "../rpc/role.ts";
import { settledWithin } from "../base/timers.ts";
import type { Transport } from "../transport/transport.ts";
import type { GateMode } from "../session/rules/call-rules.ts";
import { Login } from "../session/client/client-login.ts";
import { ClientRunContext } from "../session/client/client-run-context.ts";
import { ClientSessions, endedWhileOpening } from "../session/client/client-sessions.ts";
import type { UntypedHandler } from "../session/handler-table.ts";
import { handshake } from "../session/client/handshake.ts";
import type { SignalOwner } from "../session/run-context.ts";
import { withdraw } from "../session/client/withdrawn.ts";
import { AttachedSession, updateIn } from "./attached-session.ts";
import type { ChooseLogin } from "./client-login.ts";
import { createClientQuestions } from "./client-questions.ts";
import { createClientRules } from "./client-rules.ts";
import type { ConnectedAgent } from "./connected-agent.ts";
import { createTextChunkReader } from "../session/text-chunks/read-text-chunks.ts";

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

/** The client's side of one connection: lifecycle, sessions, and what the agent tells. */
function createClientSide(options: ClientConnectionOptions): {
  readonly connection: Connection;
  initialize(): Promise<ConnectedAgent>;
} {
  const { table, handlers, capabilities, authenticate } = options;
  const report = guardListener(options.onDiagnostic);
  const methods = createMethodIndex(table);
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
      fastPath: createTextChunkReader(true),
      answers: answersInOrder,
    },
    {
      handles: (kind, method) => handlers.has(method) || questions.handles(kind, method),
      onQueued,
      onHeld: (sessionId) => sessions.onHeld(sessionId),
      // That nobody waits for the answer to a prompt cancels no work.
      abandoned: (request) => sessions.abandoned(request),
      ended,
      notification,
      request: (request) => questions.answer(request),
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
          agent: () => ({ agent: told?.info, methods: told?.authMethods ?? [] }),
          authenticate: (methodId, signal) => call("auth/login", { methodId }, { signal }),
        });
  const sessions = new ClientSessions<AttachedSession>({
    table,
    methods,
    capabilities,
    calls,
    connection,
    report,
    hasUpdateHandler: handlers.has("session/update"),
    create: (id, params, link) => new AttachedSession(id, params, link, connection.lanes),
  });
  const questions = createClientQuestions({
    handlers,
    capabilities,
    rules,
    sessions,
    isInitialized: () => told !== undefined,
    context,
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
    if (method === "session/cancel") sessions.of(params)?.cancelSent();
    await sent;
  }

  /** The opening call of the connection. */
  async function initialize(): Promise<ConnectedAgent> {
    const { info } = options;
    const params = { protocolVersion: table.protocolVersion, info, capabilities, ...pickMeta(options) };
    // Known the moment it arrives: what the agent asks may stand right behind it.
    const agent = await handshake(connection, params, options, (answer) => {
      told = answer as Received.InitializeResponse;
    });
    return connectedAgent(agent as Received.InitializeResponse);
  }

  function onQueued(sessionId: string, method: string, params: unknown): boolean {
    if (method === "session/update") sessions.get(sessionId)?.arrived(updateIn(params));
    return sessions.holdUnclaimed(sessionId);
  }

  function ended(reason: Error, wanted: boolean): void {
    for (const request of connection.pendingRequests()) withdraw(request, reason);
    sessions.endAll(reason, wanted ? undefined : reason);
  }

  function notification({ method, params, isChecked }: QueuedNotification): unknown {
    const session = sessions.told(params);
    if (!isChecked) rules.checkTold(method, params);
    if (method === "elicitation/complete" && !questions.complete(params)) return undefined;
    const handler = handlers.get(method);
    const run = (): unknown =>
      handler?.(params, session === undefined ? context(undefined, connection) : toldContext(session));
    if (session === undefined || method !== "session/update") return run();
    const update = updateIn(params);
    session.receive(update);
    return update.sessionUpdate === "state_update" ? inFront(run, () => session.handled(update)) : run();
  }

  /** What handlers of a session's notifications get: always the same, so it is made once. */
  function toldContext(session: AttachedSession): object {
    session.context ??= Object.freeze(context(session, connection));
    return session.context;
  }

  function context(session: AttachedSession | undefined, owner: SignalOwner): object {
    return new ClientRunContext(session?.agent ?? peer, session, owner);
  }

  function call(method: string, params: unknown, callOptions?: CallOptions): Promise<unknown> {
    const entry = methods.calledRequest(method);
    if (entry?.opensSession !== undefined) return open(method, params, entry, entry.opensSession, callOptions);
    if (login === undefined || method === "auth/login" || method === "auth/logout") {
      return send(method, params, entry, callOptions);
    }
    return login.around(method, () => send(method, params, entry, callOptions), {
      signal: callOptions?.signal,
      withdrawal: sessions.of(params)?.withdrawalOf(method),
      // A prompt that is refused is not in the conversation, whatever the agent has done for it.
      mayRepeat: () => true,
    });
  }

  function open(
    method: string,
    params: unknown,
    entry: CalledEntry,
    named: "params" | "result",
    callOptions: CallOptions | undefined,
  ): Promise<unknown> {
    const signal = callOptions?.signal;
    return sessions.open({
      method,
      params,
      named,
      check: () => check(method, params, entry, sessions.of(params)),
      send: (onResult) =>
        connection.request(method, params, callOptions, (result, request) => {
          rules.checkResult(result, request);
          if (method === "session/resume") rules.checkResumed(sessions.of(params));
          onResult(result);
        }),
      withLogin: (attempt, session) => {
        if (login === undefined) return attempt();
        // It is not over with another session of that name.
        return login.around(method, attempt, {
          signal,
          withdrawal: session?.withdrawalOf(method),
          mayRepeat: () => true,
        });
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
    const isChoice = method === "session/set_config_option" && session !== undefined;
    const onResult = isChoice ? onChosen(session) : rules.checkResult;
    const request = (): Promise<unknown> => connection.request(method, params, callOptions, onResult);
    if (session === undefined) return request();
    if (method === "session/close") return sessions.end(session, method, () => request().catch(unlessGone));
    const isEnd = method === "session/delete" || method === "session/archive";
    return isEnd ? sessions.end(session, method, request) : request();
  }

  /** What is chosen counts from the moment the answer arrives: an update that stands right behind it is newer. */
  function onChosen(session: AttachedSession): OnResult {
    return (result, request) => {
      rules.checkResult(result, request);
      const take = (): void => session.chosen(result as Received.SetSessionConfigOptionResponse);
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
    const result = await call(method, params, callOptions);
    // The params of a fork name the session it comes from.
    const named = methods.calledRequest(method)?.opensSession === "params" ? params : result;
    const session = sessions.of(named);
    if (session === undefined) throw connection.signal.reason ?? endedWhileOpening(method);
    return session;
  }

  function connectedAgent(agent: Received.InitializeResponse): ConnectedAgent {
    return {
      protocolVersion: agent.protocolVersion,
      info: agent.info,
      capabilities: agent.capabilities ?? {},
      authMethods: agent.authMethods ?? [],
      ...peer,
      newSession: (params, callOptions) => opened("session/new", params, callOptions),
      resumeSession: (params, callOptions) => opened("session/resume", params, callOptions),
      ...("session/fork" in table.calls.requests && {
        forkSession: (params: object, callOptions?: CallOptions) => opened("session/fork", params, callOptions),
      }),
      session: (sessionId) => sessions.get(sessionId),
      meta: agent._meta ?? {},
      authenticate: async (methodId, callOptions) => {
        await call("auth/login", { methodId, ...pickMeta(callOptions) }, callOptions);
      },
      signal: connection.signal,
      closed: connection.closed,
      close: () => connection.close(),
      [asyncDispose]: () => connection.close(),
    };
  }
}

/** Runs a handler, and something else once it is done: a failure of the handler is for whoever runs it. */
function inFront(run: () => unknown, done: () => void): unknown {
  let running: unknown;
  try {
    running = run();
  } catch (error) {
    done();
    throw error;
  }
  if (isThenable(running)) return Promise.resolve(running).finally(done);
  done();
  return undefined;
}

/** An agent that does not know a session has closed it ("Closing Sessions" in the draft). */
function unlessGone(error: unknown): object {
  if (error instanceof RequestError && error.wire.code === ErrorCode.resourceNotFound) return {};
  throw error;
}
