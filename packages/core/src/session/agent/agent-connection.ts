import { type Gate, isGateOpen, unadvertised } from "@acp/schema";
import { type DiagnosticListener, guardListener } from "../../base/diagnostics.ts";
import type { WireError } from "../../base/errors.ts";
import { asyncDispose } from "../../base/promises.ts";
import { createConnection } from "../../rpc/connection.ts";
import type { CheckedIncomingLimits } from "../../rpc/incoming-limits.ts";
import type { IncomingRequest } from "../../rpc/incoming-requests.ts";
import type { QueuedNotification } from "../../rpc/dispatcher.ts";
import { readSessionId } from "../../rpc/request-table.ts";
import { createMethodIndex } from "../../rpc/method-index.ts";
import type { AgentRole } from "../../rpc/role.ts";
import type { Transport } from "../../transport/transport.ts";
import type { UntypedHandler } from "../handler-table.ts";
import { createCallRules } from "../rules/call-rules.ts";
import { checkReceivedSetup } from "../rules/setup-rules.ts";
import { createAgentCalls } from "./agent-calls.ts";
import type { AgentDialect, AgentHost } from "./agent-dialect.ts";
import { createAgentHandshake } from "./agent-handshake.ts";
import type { AgentOptions } from "./agent-options.ts";
import { AgentRunContext } from "./agent-run-context.ts";
import type { AgentSession } from "./agent-session.ts";
import { createAgentSessions } from "./agent-sessions.ts";
import { createAgentUpdates } from "./agent-updates.ts";
import { ConnectedClient } from "./connected-client.ts";
import { createPromptQueue } from "./prompt-queue.ts";
import { SessionRegistry } from "./session-registry.ts";

/** One connection of an agent. */
export interface AgentConnection {
  /**
   * Resolves when the connection has ended and running handlers have had up to one second to respond. Never rejects.
   */
  readonly closed: Promise<void>;
  /**
   * Ends the connection: aborts sessions and turns, gives handlers one second to respond, and flushes the queue.
   */
  close(): Promise<void>;
  /** The same as `close()`, for `await using`. */
  [Symbol.asyncDispose](): Promise<void>;
}

/** The parts of an agent's connection. */
export interface AgentConnectionOptions<S extends AgentSession> {
  readonly dialect: AgentDialect<S>;
  readonly table: AgentRole;
  readonly handlers: ReadonlyMap<string, UntypedHandler>;
  readonly capabilities: object;
  /** Not a copy: it may be an object of a class, whose functions use `this`. */
  readonly options: AgentOptions;
  readonly limits: CheckedIncomingLimits;
  readonly transport: Transport;
  readonly onDiagnostic: DiagnosticListener | undefined;
}

/** Serves one client: takes each of its messages to the handshake, the sessions, the prompts or a handler. */
export function connectAgent<S extends AgentSession>(made: AgentConnectionOptions<S>): AgentConnection {
  const { dialect, table, handlers, capabilities, options, transport } = made;
  const { methods: names } = dialect;
  const resolvePath = options.resolvePath?.bind(options);
  const report = guardListener(made.onDiagnostic);
  const methods = createMethodIndex(table);
  const client = new ConnectedClient();
  const registry = new SessionRegistry<S>();
  const connection = createConnection(
    { transport, methods, report, answersNoise: true, closingGrace: 1000, limits: made.limits },
    {
      handles,
      amend,
      request,
      checkAnswer: (received, result) => rules.checkAnswer(received, result),
      notification,
      ended: (reason) => registry.endAll(reason),
    },
  );
  const isOpen = (gate: Gate): boolean =>
    gate.kind !== "capability" || isGateOpen(gate, capabilities, client.details.capabilities);
  const rules = createCallRules({
    table,
    methods,
    mode: options.gate,
    report,
    peer: "the client",
    isOpen,
    resolvePath,
  });
  const parts = { ...made, names, methods, client, registry, connection, rules };
  const updates = createAgentUpdates(parts);
  const calls = createAgentCalls(parts, updates);
  const handshake = createAgentHandshake(parts, calls);
  const host: AgentHost = {
    ...parts,
    updates,
    calls,
    handler: handlers.get(names.prompt) as UntypedHandler,
    overlappingPrompts: options.overlappingPrompts ?? dialect.overlappingPrompts,
    amend,
  };
  const prompts = createPromptQueue(parts, host);
  const sessions = createAgentSessions(parts, host, prompts);
  const close = (): Promise<void> => connection.close();
  connection.start();
  return { closed: connection.closed, close, [asyncDispose]: close };

  function handles(kind: "request" | "notification", method: string): boolean {
    return (
      handlers.has(method) ||
      (kind === "request" ? dialect.requestsWithoutHandler.has(method) : method === names.cancel)
    );
  }

  function amend(error: WireError): WireError {
    return handshake.addLogins(error);
  }

  function notification({ method, params }: QueuedNotification): unknown {
    if (method === names.cancel) prompts.cancel(params);
    const reason = unadvertised(methods.handledNotification(method)?.gates, capabilities);
    if (reason !== undefined) rules.tolerate(method, { path: [], reason, rule: "INIT-12" }, readSessionId(params));
    const session = registry.forParams(params);
    return handlers.get(method)?.(params, new AgentRunContext(client.peer, session, connection));
  }

  function request(received: IncomingRequest): unknown {
    const { method, params, entry } = received;
    dialect.refuseUntimely(received, client, table.protocolVersion);
    if (method === names.initialize) return handshake.initialize(received);
    client.hasAsked = true;
    // The client may send requests right after `initialize`, in one piece with it.
    if (client.initializing !== undefined) return requestAfter(client.initializing, received);
    rules.checkReceived(received);
    if (method === names.login) handshake.checkLogin(params);
    const idIn = entry?.opensSession;
    if (idIn !== undefined) {
      // Without a handler this agent keeps no session that could be opened again.
      if (idIn === "params" && !handlers.has(method)) throw dialect.unknownSession(params);
      checkReceivedSetup(rules, method, params as object, capabilities);
      return sessions.open(received, idIn);
    }
    const session = registry.forParams(params);
    if (session === undefined) return answerWithoutSession(received);
    if (entry?.endsSession) return sessions.end(session, () => run(received));
    // Its state does not exist yet, and a call now would land in the middle of its history (SESS-07).
    if (session.opening !== undefined && dialect.queuesWhileOpening && entry?.needsOpenSession) {
      return requestAfter(prompts.waitForOpening(received, session), received);
    }
    if (method === names.prompt) return prompts.start(received, session);
    dialect.beforeHandler(received, session);
    return dialect.resultHasOptions(method) ? runWithOptions(received, session) : run(received);
  }

  async function requestAfter(done: Promise<void>, received: IncomingRequest): Promise<unknown> {
    await done;
    // Requests from before the end of the input still get their answers.
    if (received.reason !== connection.signal.reason) throw received.reason;
    return received.answered ? undefined : request(received);
  }

  function answerWithoutSession(received: IncomingRequest): unknown {
    const { method, params, entry } = received;
    const answer = dialect.answerWithoutSession?.(method, handlers.has(method));
    if (answer !== undefined) return answer;
    if (entry?.needsOpenSession) throw dialect.unknownSession(params);
    return run(received);
  }

  /** Runs the handler of a request whose result has options. */
  async function runWithOptions(received: IncomingRequest, session: S): Promise<unknown> {
    return updates.withSupportedOptions(received.method, await run(received), session);
  }

  /** Calls the handler of a request, if there is one. */
  function run(received: IncomingRequest): unknown {
    const { method, params, entry } = received;
    const session = registry.forParams(params);
    const from = session !== undefined && entry?.needsOpenSession ? session.client : client.peer;
    return handlers.get(method)?.(params, new AgentRunContext(from, session, received));
  }
}
