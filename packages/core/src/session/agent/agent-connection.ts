import { type Gate, isGateOpen, unadvertised } from "@acp/schema";
import { type DiagnosticListener, guardListener } from "../../base/diagnostics.ts";
import type { WireError } from "../../base/errors.ts";
import { asyncDispose } from "../../base/promises.ts";
import { Connection } from "../../rpc/connection.ts";
import type { Dispatcher } from "../../rpc/dispatcher.ts";
import type { IncomingRequest } from "../../rpc/incoming-requests.ts";
import { type QueuedNotification, readSessionId } from "../../rpc/lanes.ts";
import { createMethodIndex, type MethodIndex } from "../../rpc/method-index.ts";
import type { AgentRole } from "../../rpc/role.ts";
import type { Transport } from "../../transport/transport.ts";
import type { UntypedHandler } from "../handler-table.ts";
import { problemsIn } from "../rules/arguments.ts";
import { type CallRules, createCallRules } from "../rules/call-rules.ts";
import { checkReceivedSetup } from "../rules/setup-rules.ts";
import { unadvertisedVariants } from "../rules/variants.ts";
import type { SignalOwner } from "../run-context.ts";
import { createAgentCalls } from "./agent-calls.ts";
import type { AgentDialect } from "./agent-dialect.ts";
import { AgentHandshake } from "./agent-handshake.ts";
import type { AgentOptions } from "./agent-options.ts";
import { AgentRunContext } from "./agent-run-context.ts";
import type { AgentSession } from "./agent-session.ts";
import { AgentSessions } from "./agent-sessions.ts";
import { AgentUpdates } from "./agent-updates.ts";
import { ConnectedClient } from "./connected-client.ts";
import { PromptQueue } from "./prompt-queue.ts";
import { SessionRegistry } from "./session-registry.ts";
import type { TurnHost } from "./turn-lifecycle.ts";

/** One connection of an agent. */
export interface AgentConnection {
  /** Resolves when the connection has ended, and running handlers had up to a second to answer. Never rejects. */
  readonly closed: Promise<void>;
  /** Ends the connection: sessions and turns are aborted, handlers have a second to answer, what was sent is flushed. */
  close(): Promise<void>;
  /** The same as `close()`, for `await using`. */
  [Symbol.asyncDispose](): Promise<void>;
}

/** What an agent's connection is made from. */
export interface AgentConnectionOptions<S extends AgentSession> {
  readonly dialect: AgentDialect<S>;
  readonly table: AgentRole;
  readonly handlers: ReadonlyMap<string, UntypedHandler>;
  readonly capabilities: object;
  /** Not a copy: it may be an object of a class, whose functions use `this`. */
  readonly options: AgentOptions;
  readonly transport: Transport;
  readonly onDiagnostic: DiagnosticListener | undefined;
}

/** Serves one client. */
export function connectAgent<S extends AgentSession>(options: AgentConnectionOptions<S>): AgentConnection {
  const { connection } = new AgentDispatcher(options);
  const close = (): Promise<void> => connection.close();
  connection.start();
  return { closed: connection.closed, close, [asyncDispose]: close };
}

/** Takes each message of the client to what answers it: the handshake, the sessions, the prompts or a handler. */
class AgentDispatcher<S extends AgentSession> implements Dispatcher {
  readonly connection: Connection;
  readonly #dialect: AgentDialect<S>;
  readonly #handlers: ReadonlyMap<string, UntypedHandler>;
  readonly #capabilities: object;
  readonly #methods: MethodIndex;
  readonly #rules: CallRules;
  readonly #client = new ConnectedClient();
  readonly #registry = new SessionRegistry<S>();
  readonly #updates: AgentUpdates;
  readonly #handshake: AgentHandshake;
  readonly #prompts: PromptQueue<S>;
  readonly #sessions: AgentSessions<S>;

  constructor({ dialect, table, handlers, capabilities, options, transport, onDiagnostic }: AgentConnectionOptions<S>) {
    const report = guardListener(onDiagnostic);
    const methods = createMethodIndex(table);
    const client = this.#client;
    const registry = this.#registry;
    const connection = new Connection({ transport, methods, report, answersNoise: true, closingGrace: 1000 }, this);
    const isOpen = (gate: Gate): boolean =>
      gate.kind !== "capability" || isGateOpen(gate, capabilities, client.details.capabilities);
    const rules = createCallRules({ table, methods, mode: options.gate, report, peer: "the client", isOpen });
    const names = dialect.methods;
    const updates = new AgentUpdates({ method: names.update, role: table, rules, connection, client, options });
    const calls = createAgentCalls({ names, rules, connection, updates, registry, client });
    const handshake = new AgentHandshake({ dialect, options, capabilities, rules, connection, client, calls });
    const host: TurnHost = {
      role: table,
      method: names.prompt,
      handler: handlers.get(names.prompt) as UntypedHandler,
      overlappingPrompts: options.overlappingPrompts ?? dialect.overlappingPrompts,
      connection,
      amend: (error) => handshake.addLogins(error),
    };
    const refusedBlocks = unadvertisedVariants(table, "ContentBlock", capabilities);
    const prompts = new PromptQueue({ dialect, connection, registry, host, refusedBlocks });
    const link = { methods, connection, client, calls, updates };
    this.connection = connection;
    this.#dialect = dialect;
    this.#handlers = handlers;
    this.#capabilities = capabilities;
    this.#methods = methods;
    this.#rules = rules;
    this.#updates = updates;
    this.#handshake = handshake;
    this.#prompts = prompts;
    this.#sessions = new AgentSessions({ dialect, options, handlers, registry, prompts, link, host });
  }

  handles(kind: "request" | "notification", method: string): boolean {
    const { ownRequests, methods } = this.#dialect;
    return this.#handlers.has(method) || (kind === "request" ? ownRequests.has(method) : method === methods.cancel);
  }

  amend(error: WireError): WireError {
    return this.#handshake.addLogins(error);
  }

  ended(reason: Error): void {
    this.#registry.endAll(reason);
  }

  notification({ method, params }: QueuedNotification): unknown {
    if (method === this.#dialect.methods.cancel) this.#prompts.cancel(params);
    const reason = unadvertised(this.#methods.handledNotification(method)?.gates, this.#capabilities);
    if (reason !== undefined) {
      this.#rules.tolerate(method, { path: [], reason, rule: "INIT-12" }, readSessionId(params));
    }
    return this.#callHandler(method, params, this.connection);
  }

  request(request: IncomingRequest): unknown {
    const { method, params, entry } = request;
    const dialect = this.#dialect;
    const client = this.#client;
    dialect.admit(request, client, this.#rules.table.protocolVersion);
    if (method === dialect.methods.initialize) return this.#handshake.initialize(request);
    client.hasAsked = true;
    // The client may send requests right behind `initialize`, in one piece with it.
    if (client.pending !== undefined) return this.#requestAfter(client.pending, request);
    this.#rules.checkReceived(request);
    if (method === dialect.methods.login) this.#handshake.checkLogin(params);
    if (entry?.opensSession !== undefined) return this.#open(request, entry.opensSession);
    const session = this.#registry.forParams(params);
    if (session === undefined) return this.#answerWithoutSession(request);
    if (entry?.endsSession) return this.#sessions.end(session, () => this.#run(request));
    // Its state is not there yet, and what is said now would stand in the middle of its history (SESS-07).
    if (session.opening !== undefined && dialect.queuesWhileOpening && dialect.sessionMethods.has(method)) {
      return this.#requestAfter(this.#prompts.waitForOpening(request, session), request);
    }
    if (method === dialect.methods.prompt) return this.#prompts.start(request, session);
    dialect.prepare(request, session);
    if (entry?.resultMisfits === undefined && !dialect.resultHasOptions(method)) return this.#run(request);
    return this.#runChecked(request, session);
  }

  async #requestAfter(done: Promise<void>, request: IncomingRequest): Promise<unknown> {
    await done;
    // What was asked before the end of the input is answered all the same.
    if (request.reason !== this.connection.signal.reason) throw request.reason;
    return request.answered ? undefined : this.request(request);
  }

  #open(request: IncomingRequest, idIn: "params" | "result"): Promise<unknown> {
    const { method, params } = request;
    // Without a handler this agent keeps no session that could be opened again.
    if (idIn === "params" && !this.#handlers.has(method)) throw this.#dialect.unknownSession(params);
    checkReceivedSetup(this.#rules, method, params as object, this.#capabilities);
    return this.#sessions.open(request, idIn);
  }

  #answerWithoutSession(request: IncomingRequest): unknown {
    const { method, params, entry } = request;
    const dialect = this.#dialect;
    const answer = dialect.answerWithoutSession?.(method, this.#handlers.has(method));
    if (answer !== undefined) return answer;
    if (dialect.sessionMethods.has(method)) throw dialect.unknownSession(params);
    return entry?.resultMisfits === undefined ? this.#run(request) : this.#runChecked(request, undefined);
  }

  /** Runs the handler of a request, and checks what it returns. */
  async #runChecked(request: IncomingRequest, session: S | undefined): Promise<unknown> {
    const { method, entry } = request;
    const result = await this.#run(request);
    const problems = problemsIn(entry?.resultMisfits, result);
    problems?.forEach((problem) => this.#rules.refuse(`The answer of ${method}`, problem));
    return session === undefined ? result : this.#updates.offerOptions(method, result, session);
  }

  #run(request: IncomingRequest): unknown {
    return this.#callHandler(request.method, request.params, request);
  }

  /** Calls the handler of a method, if there is one. */
  #callHandler(method: string, params: unknown, owner: SignalOwner): unknown {
    const session = this.#registry.forParams(params);
    const isForSession = session !== undefined && this.#dialect.sessionMethods.has(method);
    const client = isForSession ? session.client : this.#handshake.peer;
    return this.#handlers.get(method)?.(params, new AgentRunContext(client, session, owner));
  }
}
