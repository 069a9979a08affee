import { type Gate, isGateOpen, unadvertised } from "@acp/schema";
import type {
  AuthMethod,
  ClientMethods,
  Implementation,
  InitializeResponse,
  Received,
  SessionUpdate,
} from "@acp/schema/v1/types";
import { createConnection } from "../rpc/connection.ts";
import type { IncomingRequest } from "../rpc/incoming-requests.ts";
import { createMethodIndex } from "../rpc/method-index.ts";
import { refuseNow, refuseSession } from "../rpc/refusal.ts";
import { type QueuedNotification, readSessionId } from "../rpc/lanes.ts";
import { type DiagnosticListener, guardListener } from "../base/diagnostics.ts";
import { asyncDispose } from "../base/promises.ts";
import type { ErrorCode, WireError } from "../base/errors.ts";
import type { Awaitable } from "../rpc/methods.ts";
import { createPeer, type MetaOptions, pickMeta } from "../rpc/peer.ts";
import type { AgentRole } from "../rpc/role.ts";
import type { Transport } from "../transport/transport.ts";
import type { AgentConnection } from "./agent.ts";
import { createAgentCalls } from "../session/agent/agent-calls.ts";
import { type ClientDetails, sessionMethods } from "./agent-handlers.ts";
import { AgentRunContext } from "../session/agent/agent-run-context.ts";
import type { UntypedSetup } from "./agent-session.ts";
import { createAgentSessions, type OverlappingPrompts } from "../session/agent/agent-sessions.ts";
import { cancelledTurn, runTurn, type TurnHost } from "./agent-turn-run.ts";
import { createAgentUpdates } from "../session/agent/agent-updates.ts";
import { type ArgumentProblem, invalidArguments, problemsIn } from "../session/rules/arguments.ts";
import { createCallRules, type GateMode } from "../session/rules/call-rules.ts";
import { checkChoice } from "../session/rules/choices.ts";
import { endsSession } from "../session/rules/ending-methods.ts";
import type { UntypedHandler } from "../session/agent/handler-table.ts";
import { takeable } from "../session/agent/offered-options.ts";
import { OpenSession } from "../session/agent/open-session.ts";
import type { SignalOwner } from "../session/run-context.ts";
import { checkReceivedSetup } from "../session/rules/setup-rules.ts";

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

/** The agent's side of one connection: lifecycle, sessions and turns. */
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
  const clientDetails = (): ClientDetails => client;
  const updates = createAgentUpdates({ table, rules, connection, clientDetails, given });
  const calls = createAgentCalls({
    rules,
    connection,
    updates,
    sessions: () => sessions,
    ready: () => (isInitialized ? true : initializing),
  });
  // It has told nothing of itself so far.
  meet({});
  const turns: TurnHost = {
    role: table,
    handler: handlers.get("session/prompt") as UntypedHandler,
    mode: given.overlappingPrompts,
    connection,
  };
  const sessions = createAgentSessions({
    ...options,
    connection,
    link: { ...updates, methods, calls, clientDetails },
    mode: turns.mode,
    create: (...made) => new OpenSession(...made),
    run: (received, session) => runTurn(received, session, turns),
    drop: (received) => received.answer(cancelledTurn),
  });
  connection.start();
  return { closed, close, [asyncDispose]: close };

  function handles(kind: "request" | "notification", method: string): boolean {
    if (handlers.has(method)) return true;
    return kind === "request" ? method === "initialize" || method === "session/new" : method === "session/cancel";
  }

  /** Tells a client that has to log in how it can (AUTH-09). */
  function amend(error: WireError): WireError {
    if (error.code !== (-32000 satisfies typeof ErrorCode.authRequired) || error.data !== undefined) return error;
    return { ...error, data: { reason: "auth_required", authMethods } };
  }

  function notification({ method, params }: QueuedNotification): unknown {
    if (method === "session/cancel") sessions.cancel(params);
    rules.tolerate(method, unadvertisedNotification(method), readSessionId(params));
    return call(method, params, connection);
  }

  /** What is wrong with a notification that this agent did not advertise to take, though it has a handler. */
  function unadvertisedNotification(method: string): ArgumentProblem | undefined {
    const reason = unadvertised(methods.handledNotification(method)?.gates, capabilities);
    return reason === undefined ? undefined : { path: [], reason, rule: "INIT-12" };
  }

  function request(received: IncomingRequest): unknown {
    const { method, params, entry } = received;
    if (method === "initialize") {
      if (initializing !== undefined) throw refuseNow("initialize was called already");
      initializing = initialize(received);
      initializing.then(
        // Right before what waits for it, so that nothing overtakes that.
        () => {
          isInitialized = true;
        },
        // One that failed may be tried again.
        () => {
          initializing = undefined;
        },
      );
      return initializing;
    }
    if (!isInitialized) {
      if (initializing === undefined) throw refuseNow("initialize must be called first");
      // What comes right behind initialize waits for it, so that both can be sent in one piece.
      return after(initializing, received);
    }
    rules.checkReceived(received);
    if (method === "authenticate") checkLogin(params as Received.AuthenticateRequest);
    const opens = entry?.opensSession;
    if (opens !== undefined) {
      checkReceivedSetup(rules, method, params as object, capabilities);
      return sessions.open(received, opens);
    }
    const session = sessions.of(params);
    if (session === undefined) {
      if (sessionMethods.has(method)) throw refuseSession();
    } else {
      if (endsSession.test(method)) return sessions.end(session, () => run(received));
      // Its state is not there yet, and what is said now would stand in the middle of its history (SESS-07).
      if (session.opening !== undefined && sessionMethods.has(method))
        return after(sessions.opened(received, session), received);
      if (method === "session/prompt") return sessions.prompt(received, session);
      const choice = checkChoice(method, params, session.choices);
      if (choice !== undefined) throw invalidArguments(choice);
    }
    const isSetting = method === "session/set_config_option";
    return isSetting || entry?.resultMisfits !== undefined ? answer(received, session) : run(received);
  }

  async function after(done: Promise<unknown>, received: IncomingRequest): Promise<unknown> {
    await done;
    // What was asked before the end of the input is answered all the same.
    if (received.reason !== connection.signal.reason) throw received.reason;
    return received.answered ? undefined : request(received);
  }

  async function answer(received: IncomingRequest, session: OpenSession | undefined): Promise<unknown> {
    const { method, entry } = received;
    const result = await run(received);
    problemsIn(entry?.resultMisfits, result)?.forEach((problem) => rules.refuse(`The answer of ${method}`, problem));
    return session === undefined ? result : updates.offered(method, result, session);
  }

  async function initialize(received: IncomingRequest): Promise<void> {
    meet(received.params as Received.InitializeRequest);
    // Awaited in any case: what is sent early has to know what it waits for.
    const offered = await (typeof given.authMethods === "function"
      ? given.authMethods(client.capabilities)
      : (given.authMethods ?? []));
    // A terminal login is only for clients that can open one (AUTH-03).
    authMethods = takeable(rules, "initialize", "AuthMethod", offered, "login methods", "AUTH-03");
    await given.connected?.(peer, connection.signal);
    // One version is spoken, so that is the answer to any (INIT-08, INIT-09).
    const response: InitializeResponse = {
      protocolVersion: table.protocolVersion,
      agentCapabilities: capabilities,
      agentInfo: given.info,
      authMethods: authMethods as AuthMethod[],
      ...pickMeta(given),
    };
    // Before what waits for it.
    received.answer(response);
  }

  function run(received: IncomingRequest): unknown {
    return call(received.method, received.params, received);
  }

  /** Calls the handler of a method, if there is one. */
  function call(method: string, params: unknown, owner: SignalOwner): unknown {
    const session = sessions.of(params);
    const from = session !== undefined && sessionMethods.has(method) ? session.client : peer;
    return handlers.get(method)?.(params, new AgentRunContext(from, session, owner));
  }

  function meet({ clientCapabilities, clientInfo, _meta }: Partial<Received.InitializeRequest>): void {
    client = { capabilities: clientCapabilities ?? {}, info: clientInfo ?? undefined, meta: _meta ?? {} };
    peer = { ...createPeer<ClientMethods>(calls), ...client };
  }

  /** Only a method that was offered can be used, and never one that needs a terminal (AUTH-05, AUTH-06). */
  function checkLogin({ methodId }: Received.AuthenticateRequest): void {
    const offered = authMethods.some((method) => method.id === methodId && method.type !== "terminal");
    if (!offered) throw invalidArguments({ path: ["methodId"], reason: "is no login method that was offered" });
  }
}
