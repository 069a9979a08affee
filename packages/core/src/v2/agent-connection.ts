import { type Gate, isGateOpen, unadvertised } from "@acp/schema";
import type {
  AuthMethod,
  ClientMethods,
  Implementation,
  InitializeResponse,
  Received,
  SessionUpdate,
} from "@acp/schema/v2/types";
import { createConnection } from "../rpc/connection.ts";
import { asyncDispose, ignoreRejection } from "../base/promises.ts";
import type { IncomingRequest } from "../rpc/incoming-requests.ts";
import { AbortReason } from "../base/abort.ts";
import { createMethodIndex } from "../rpc/method-index.ts";
import { refuseNow } from "../rpc/refusal.ts";
import { type QueuedNotification, readSessionId } from "../rpc/lanes.ts";
import { chosenWireError, internalError, requestCancelled } from "../rpc/wire-errors.ts";
import { type DiagnosticListener, guardListener } from "../base/diagnostics.ts";
import type { ErrorCode, WireError } from "../base/errors.ts";
import type { Awaitable } from "../rpc/methods.ts";
import { createPeer, type MetaOptions, pickMeta } from "../rpc/peer.ts";
import type { AgentRole } from "../rpc/role.ts";
import type { Transport } from "../transport/transport.ts";
import type { AgentConnection } from "../v1/agent.ts";
import { createAgentCalls } from "../session/agent/agent-calls.ts";
import { AgentRunContext } from "../session/agent/agent-run-context.ts";
import type { UntypedSetup } from "../v1/agent-session.ts";
import { createAgentSessions, type OverlappingPrompts } from "../session/agent/agent-sessions.ts";
import { type AgentUpdates, createAgentUpdates } from "../session/agent/agent-updates.ts";
import { invalidArguments, problemsIn } from "../session/rules/arguments.ts";
import { createCallRules, type GateMode } from "../session/rules/call-rules.ts";
import type { UntypedHandler } from "../session/agent/handler-table.ts";
import { takeable } from "../session/agent/offered-options.ts";
import type { SignalOwner } from "../session/run-context.ts";
import { checkReceivedSetup } from "../session/rules/setup-rules.ts";
import { type ClientDetails, sessionMethods } from "./agent-handlers.ts";
import { runTurn, runWork, type TurnHost, TurnRun } from "./agent-turn-run.ts";
import { checkConfigChoice } from "./config-choice.ts";
import { refuseVersion } from "./negotiation.ts";
import { OpenSession } from "./open-session.ts";
import { Replay } from "./replay.ts";
import { unknownSession } from "./unknown-session.ts";

/** The options of an agent that its connection reads, before their types are known to be those of a protocol. */
export interface GivenOptions {
  readonly info: Implementation;
  /** For the answer to `initialize`. */
  readonly _meta?: MetaOptions["_meta"];
  readonly authMethods?:
    | readonly AuthMethod[]
    | ((client: Received.ClientCapabilities) => Awaitable<readonly AuthMethod[]>);
  readonly connected?: (client: object, signal: AbortSignal) => Awaitable<void>;
  readonly overlappingPrompts?: OverlappingPrompts;
  readonly session?: (setup: UntypedSetup) => unknown;
  readonly sessionId?: () => string;
  readonly onUpdate?: (update: SessionUpdate, session: OpenSession) => void;
  readonly gate?: GateMode;
}

/** What an agent's connection is made from. */
export interface AgentConnectionOptions {
  readonly table: AgentRole;
  readonly handlers: ReadonlyMap<string, UntypedHandler>;
  readonly capabilities: object;
  /** As it was given, not a copy: it may be an object of a class, and its functions mean it by `this`. */
  readonly given: GivenOptions;
  readonly transport: Transport;
  readonly onDiagnostic: DiagnosticListener | undefined;
}

/** The agent's side of one connection of this version: from `initialize` on, what is asked of it and what it asks. */
export function connectAgent(options: AgentConnectionOptions): AgentConnection {
  const { table, handlers, capabilities, given } = options;
  const report = guardListener(options.onDiagnostic);
  const methods = createMethodIndex(table);
  let client!: ClientDetails;
  /** The client, without a session. */
  let peer!: object;
  let authMethods: readonly AuthMethod[] = [];
  let initializing: Promise<unknown> | undefined;
  let isInitialized = false;
  /** Something else was asked than `initialize`, which cannot be repeated from then on. */
  let isSettled = false;

  const rules = createCallRules({
    table,
    methods,
    mode: given.gate,
    report,
    peer: "the client",
    isOpen: (gate: Gate) => gate.kind !== "capability" || isGateOpen(gate, capabilities, client.capabilities),
  });
  const connection = createConnection(
    { transport: options.transport, methods, report, answersNoise: true, closingGrace: 1000 },
    { handles, amend, request, notification, ended: (reason) => sessions.endAll(reason) },
  );
  const { closed, close } = connection;
  // What version 1 does with updates and sessions asks nothing of the client's details but that they are there.
  const clientDetails = (): never => client as never;
  const sender = createAgentUpdates({ table, rules, connection, clientDetails, given: { onUpdate: sent } });
  const updates: AgentUpdates = {
    ...sender,
    update(holder, made, more) {
      // Made by `create` below, as is the update for it.
      const [session, told] = [holder as object as OpenSession, made as object as SessionUpdate];
      const before = session.replay?.before(told);
      // Its fate is that of what stands behind it.
      if (before !== undefined) void ignoreRejection(session.say(before));
      return sender.update(holder, made, more);
    },
  };
  const calls = createAgentCalls({
    rules,
    connection,
    updates,
    sessions: () => sessions,
    ready: () => (isInitialized ? true : initializing),
    // Whoever asks something for a prompt has taken it.
    calls: (turn) => turn instanceof TurnRun && void turn.accept(),
    asks(params, turn, asking) {
      // What belongs to a request is outside of what the session does.
      if (turn instanceof TurnRun && readSessionId(params) !== undefined) turn.asks(asking);
    },
  });
  // It has told nothing of itself so far.
  meet({});
  const turns: TurnHost = {
    handler: handlers.get("session/prompt") as UntypedHandler,
    failed(handler, error) {
      const chosen = chosenWireError(error);
      return chosen === undefined ? internalError(connection.reportFailure(handler, error)) : amend(chosen);
    },
    callsOf: (turn) => connection.calls.values(({ owner }) => owner === turn, [turn]),
    abandon: connection.abandon,
  };
  const sessions = createAgentSessions({
    table,
    handlers: new Map([...handlers, ["session/resume", resume]]),
    capabilities,
    connection,
    given,
    link: { ...updates, methods, calls, clientDetails },
    mode: given.overlappingPrompts ?? "queue",
    create(id, params, link, method) {
      const session = new OpenSession(id, params, link, (made, work) => runWork(made, work, turns));
      session.isResuming = method === "session/resume";
      if (session.isResuming) session.foreground.follows(sessions.of(params)?.foreground);
      if (session.isResuming && (params as Received.ResumeSessionRequest).replayFrom != null)
        session.replay = new Replay();
      return session;
    },
    run: (received, session) => runTurn(received, session, turns),
    drop: (received) => received.fail(requestCancelled()),
  });
  connection.start();
  return { closed, close, [asyncDispose]: close };

  function handles(kind: "request" | "notification", method: string): boolean {
    if (handlers.has(method)) return true;
    return kind === "request" ? ownRequests.has(method) : method === "session/cancel";
  }

  /** Resumes a session, and then says what it is doing: the answer alone does not. */
  async function resume(params: unknown, context: unknown): Promise<unknown> {
    const result = await handlers.get("session/resume")?.(params, context);
    // The one that this request opens: there may be another one by now.
    (context as { readonly session: OpenSession }).session.resumed(sessions.of(params));
    return result;
  }

  /** Tells a client that has to log in how it can. */
  function amend(error: WireError): WireError {
    if (error.code !== (-32000 satisfies typeof ErrorCode.authRequired) || error.data !== undefined) return error;
    return { ...error, data: { reason: "auth_required", authMethods } };
  }

  /** An update is on its way. What a session does now is no part of its history, and what a replay repeats is no news. */
  function sent(made: object, holder: object): void {
    // It was made by `create` above, and the update for it.
    const [session, told] = [holder as OpenSession, made as SessionUpdate];
    session.told(told);
    if (told.sessionUpdate !== "state_update" && !session.isResuming) return given.onUpdate?.(told, session);
  }

  function notification({ method, params }: QueuedNotification): unknown {
    if (method === "session/cancel") sessions.cancel(params);
    const reason = unadvertised(methods.handledNotification(method)?.gates, capabilities);
    const problem = reason === undefined ? undefined : { path: [], reason, rule: "INIT-12" };
    rules.tolerate(method, problem, readSessionId(params));
    return handlers.get(method)?.(params, contextOf(method, params, connection));
  }

  function request(received: IncomingRequest): unknown {
    const { id, method, params, entry } = received;
    // Its answer could be taken for that to a message whose id could not be read.
    if (id === "null") throw refuseNow("the id of a request is a string or an integer, and never null");
    if (method === "initialize") return beginInitialize(received);
    if (initializing !== undefined) throw refuseNow("initialize is not answered yet");
    if (!isInitialized) throw refuseNow("initialize must be called first");
    isSettled = true;
    rules.checkReceived(received);
    if (method === "auth/login") checkLogin(params as Received.LoginAuthRequest);
    const session = sessions.of(params);
    const opens = entry?.opensSession;
    if (opens !== undefined) {
      // Without a handler this agent keeps no session that could be resumed.
      if (opens === "params" && !handlers.has(method)) throw unknownSession(params);
      checkReceivedSetup(rules, method, params as object, capabilities);
      const opening = sessions.open(received, opens);
      // What could not be opened again goes on as it was.
      if (opens === "params") opening.catch(() => sessions.of(params)?.kept());
      return opening;
    }
    if (session === undefined) return answerOutside(received);
    switch (method) {
      case "session/prompt":
        return sessions.prompt(received, session);
      case "session/close":
      case "session/delete":
      case "session/archive":
        giveUpOthers(session, new AbortReason("The session is closed"));
        return sessions.end(session, () => run(received));
      case "tool_call/cancel":
      case "terminal/cancel":
        return cancelOne(received, session);
      case "session/set_config_option": {
        const choice = checkConfigChoice(params, session.choices.configOptions);
        if (choice !== undefined) throw invalidArguments(choice);
        return answer(received, session);
      }
      default:
        return answer(received, session);
    }
  }

  /** A session is being closed: what goes on besides its turns ends as well, and can still say how. */
  function giveUpOthers({ id, turns: running, cancellables }: OpenSession, reason: AbortReason): void {
    cancellables.end(reason);
    const owners: readonly unknown[] = running;
    const asked = connection.calls.values(({ sessionId, owner }) => sessionId === id && !owners.includes(owner), [id]);
    if (asked.length > 0) connection.abandon(asked, reason.error);
  }

  /** Answers what names no session, or one that is not open here. */
  function answerOutside(received: IncomingRequest): unknown {
    const { method, params } = received;
    if (sessionMethods.has(method)) throw unknownSession(params);
    // To close what is not open changes nothing.
    if (method === "session/close") return {};
    if (method === "session/list" && !handlers.has(method)) return { sessions: [] };
    return answer(received, undefined);
  }

  async function answer(received: IncomingRequest, session: OpenSession | undefined): Promise<unknown> {
    const { method, entry } = received;
    const result = await run(received);
    problemsIn(entry?.resultMisfits, result)?.forEach((problem) => rules.refuse(`The answer of ${method}`, problem));
    return session === undefined ? result : updates.offered(method, result, session);
  }

  /** Tells a tool call or a terminal that its client does not want it any more; updates tell how it ends. */
  function cancelOne(received: IncomingRequest, session: OpenSession): unknown {
    const { method, params } = received;
    const [kind, member] = method === "tool_call/cancel" ? (["call", "toolCallId"] as const) : terminalMember;
    const open = session.cancellables.get(kind, String((params as Record<string, unknown>)[member]));
    if (open === undefined) throw invalidArguments({ path: [member], reason: "names nothing that can be cancelled" });
    open.abort(new AbortReason("The client cancelled it"));
    return run(received);
  }

  function beginInitialize(received: IncomingRequest): Promise<void> {
    const { protocolVersion } = received.params as Received.InitializeRequest;
    if (initializing !== undefined) throw refuseNow("initialize is not answered yet");
    if (isSettled) throw refuseNow("initialize was called already");
    if (protocolVersion < table.protocolVersion) throw refuseVersion(protocolVersion, [table.protocolVersion]);
    const made = initialize(received);
    initializing = made;
    // One that failed may be tried again.
    made.catch(() => {
      initializing = undefined;
    });
    return made;
  }

  async function initialize(received: IncomingRequest): Promise<void> {
    meet(received.params as Received.InitializeRequest);
    // Awaited in any case: what is sent early has to know what it waits for.
    const offered = await (typeof given.authMethods === "function"
      ? given.authMethods(client.capabilities)
      : (given.authMethods ?? []));
    // A terminal login is only for clients that can open one.
    authMethods = takeable(rules, "initialize", "AuthMethod", offered, "login methods", "AUTH-03");
    await given.connected?.(peer, connection.signal);
    const response: InitializeResponse = {
      protocolVersion: table.protocolVersion,
      capabilities,
      info: given.info,
      ...(authMethods.length > 0 && { authMethods: [...authMethods] }),
      ...pickMeta(given),
    };
    received.answer(response);
    isInitialized = true;
    initializing = undefined;
  }

  function run(received: IncomingRequest): unknown {
    const { method, params } = received;
    return handlers.get(method)?.(params, contextOf(method, params, received));
  }

  function contextOf(method: string, params: unknown, owner: SignalOwner): object {
    const session = sessions.of(params);
    const isItsOwn = session !== undefined && (sessionMethods.has(method) || method === "session/close");
    return new AgentRunContext(isItsOwn ? session.client : peer, session, owner);
  }

  function meet({ capabilities: theirs, info, _meta }: Partial<Received.InitializeRequest>): void {
    client = { capabilities: theirs ?? {}, info, meta: _meta ?? {} };
    peer = { ...createPeer<ClientMethods>(calls), ...client };
  }

  /** Only a method that was offered can be used, and never one that needs a terminal. */
  function checkLogin({ methodId }: Received.LoginAuthRequest): void {
    const offered = authMethods.some((method) => method.methodId === methodId && method.type !== "terminal");
    if (!offered) throw invalidArguments({ path: ["methodId"], reason: "is no login method that was offered" });
  }
}

/** What is answered without a handler. */
const ownRequests: ReadonlySet<string> = new Set([
  "initialize",
  "session/new",
  "session/list",
  "session/resume",
  "session/close",
  "tool_call/cancel",
  "terminal/cancel",
]);

const terminalMember = ["terminal", "terminalId"] as const;
