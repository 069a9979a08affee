import { guardListener } from "../../base/diagnostics.ts";
import { isThenable } from "../../base/promises.ts";
import { ProtocolError } from "../../base/errors.ts";
import { settledWithin } from "../../base/timers.ts";
import { answersInOrder } from "../../rpc/answer-order.ts";
import { type Connection, createConnection } from "../../rpc/connection.ts";
import type { Dispatcher } from "../../rpc/dispatcher.ts";
import type { IncomingRequest } from "../../rpc/incoming-requests.ts";
import type { QueuedNotification } from "../../rpc/dispatcher.ts";
import { createMethodIndex } from "../../rpc/method-index.ts";
import type { OutgoingRequest } from "../../rpc/outgoing-requests.ts";
import { pickMeta } from "../../rpc/peer.ts";
import { createTextChunkReader } from "../text-chunks/read-text-chunks.ts";
import { ClientCalls } from "./client-calls.ts";
import { type ClientChecks, createClientChecks } from "./client-checks.ts";
import type { AgentFacts, ClientDialect } from "./client-dialect.ts";
import { ClientHandlerRunner } from "./client-handler-runner.ts";
import type { ClientConnectionOptions, ClientScope } from "./client-scope.ts";
import type { ClientSession } from "./client-session.ts";
import type { ClientMethodNames } from "./client-session-link.ts";
import type { ClientSessions } from "./client-sessions.ts";
import { handshake } from "./handshake.ts";
import { admitRequests } from "./rules/admit-requests.ts";
import { askPermission } from "./rules/ask-permission.ts";
import { type CancelledQuestions, cancelQuestions } from "./rules/cancel-questions.ts";
import { elicit } from "./rules/elicit.ts";
import { intercept } from "./rules/intercept.ts";
import { logIn } from "./rules/log-in.ts";
import { type ClientRule, createRuleList, noRules, type RuleList } from "./rules/rule.ts";
import { SessionSlots } from "./slots/session-slots.ts";
import { SlotBudgets } from "./slots/slot-budgets.ts";
import type { AnyUpdate } from "./updates/update-event.ts";

/** How much may wait for handlers, in characters: two of the largest messages. */
const maxQueuedSize = 128 * 1024 * 1024;

/** Connects to an agent, and closes the transport if that fails. */
export async function connectClient<S extends ClientSession, Facts extends AgentFacts, Agent>(
  dialect: ClientDialect<S, Facts, Agent>,
  options: ClientConnectionOptions<Facts>,
): Promise<Agent> {
  const client = new ClientConnection(dialect, options);
  try {
    return await client.initialize();
  } catch (error) {
    // An agent that does not read must not hold up the error.
    await settledWithin(client.connection.close(), 1000);
    throw error;
  }
}

/** The client's side of one connection: takes each message of the agent to who handles it. */
class ClientConnection<S extends ClientSession, Facts extends AgentFacts, Agent> implements Dispatcher {
  readonly connection: Connection;
  readonly #dialect: ClientDialect<S, Facts, Agent>;
  readonly #options: ClientConnectionOptions<Facts>;
  readonly #scope: ClientScope<S, Facts>;
  readonly #names: ClientMethodNames;
  readonly #handlers: ClientHandlerRunner;
  readonly #checks: ClientChecks<S>;
  readonly #questions: CancelledQuestions<S>;
  readonly #elicitations: ReturnType<typeof elicit<S>>;
  readonly #calls: ClientCalls<S, Facts>;
  readonly #sessions: ClientSessions<S>;
  readonly #rules: RuleList<S>;
  readonly #waitsForLoops: boolean;
  /** The params of `initialize` as JSON, until the agent has answered it. */
  #opening: string | undefined;

  /** Makes the parts in order; each may use those before it. */
  constructor(dialect: ClientDialect<S, Facts, Agent>, options: ClientConnectionOptions<Facts>) {
    const { transport, table, handlers } = options;
    const report = guardListener(options.onDiagnostic);
    const methods = createMethodIndex(table);
    this.#dialect = dialect;
    this.#names = dialect.methods;
    this.#options = options;
    this.#waitsForLoops = options.unread.whenFull === "wait";
    this.connection = createConnection(
      {
        transport,
        methods,
        report,
        answersNoise: false,
        closingGrace: 0,
        fastPath: createTextChunkReader(dialect.methods.update, dialect.chunksNameMessage),
        answers: answersInOrder,
        limits: options.limits,
      },
      this,
    );
    const names = dialect.methods;
    const budgets = new SlotBudgets<S>(report);
    const scope: ClientScope<S, Facts> = {
      ...options,
      dialect,
      names,
      methods,
      connection: this.connection,
      report,
      hasUpdateHandler: handlers.has(names.update),
      budgets,
      slots: new SessionSlots(budgets),
      agent: undefined,
      rules: noRules,
    };
    this.#scope = scope;
    this.#checks = createClientChecks(scope);
    this.#questions = cancelQuestions(scope);
    this.#elicitations = elicit(this.#names, this.#checks);
    this.#calls = new ClientCalls(scope, this.#checks, this.#questions);
    this.#sessions = this.#calls.sessions;
    this.#handlers = new ClientHandlerRunner(handlers, this.#calls.peer, this.connection);
    this.#rules = createRuleList(
      this.#listRules(),
      ({ request, params, session }) => this.#handlers.run(request.method, params, session, request),
      (error) => this.connection.reportFailure("a rule", error),
    );
    scope.rules = this.#rules;
    this.connection.start();
  }

  /** The rules, each at its place for a reason. */
  #listRules(): readonly ClientRule<S>[] {
    const { requestPermission } = this.#names;
    const { authenticate } = this.#options;
    return [
      // Finds the session that the other rules need, and refuses requests that no rule may see.
      admitRequests(this.#scope, this.#checks, this.#sessions),
      // Answers before anybody asks the user.
      this.#questions,
      // These two check the handler's result, whatever comes between.
      askPermission(requestPermission, this.#handlers.has(requestPermission), this.#checks),
      this.#elicitations,
      // Without types it may be null.
      ...(authenticate ? [logIn(this.#scope, this.#calls.peer, authenticate)] : []),
      ...(this.#dialect.rules?.(this.#scope.report) ?? []),
      // Innermost: all that they do is checked, and they see each attempt of a call.
      ...(this.#scope.interceptors.length > 0 ? [intercept(this.#scope)] : []),
    ];
  }

  async initialize(): Promise<Agent> {
    const { table, info, capabilities } = this.#options;
    const params = {
      protocolVersion: table.protocolVersion,
      ...this.#dialect.initializeParams(info, capabilities),
      ...pickMeta(this.#options),
    };
    this.#opening = JSON.stringify(params);
    // Known the moment it arrives: a request of the agent may arrive right after it.
    const answer = await handshake(this.connection, this.#names.initialize, params, this.#options, (early) => {
      this.#scope.agent = this.#dialect.readAgent(early);
      this.#opening = undefined;
    });
    const facts = this.#dialect.readAgent(answer);
    return this.#dialect.connectedAgent(facts, this.#calls.linkAgent(facts));
  }

  handles(kind: "request" | "notification", method: string): boolean {
    const { requestPermission, update, elicitationComplete } = this.#names;
    if (this.#handlers.has(method)) return true;
    return kind === "request" ? method === requestPermission : method === update || method === elicitationComplete;
  }

  unhandled(method: string, params: unknown): void {
    if (method !== this.#names.initialize || this.#opening === undefined) return;
    const isEcho = JSON.stringify(params) === this.#opening;
    const reason = isEcho
      ? "the program sends back what it gets: it does not speak ACP"
      : "the program is no agent, but a client as well: it sends the same request";
    // Before the answer: it would come back, too.
    this.connection.fail(new ProtocolError(method, [], reason));
  }

  request(request: IncomingRequest): unknown {
    const { method, params } = request;
    return this.#rules.request({ request, isQuestion: this.#questions.isQuestion(method), params, session: undefined });
  }

  checkAnswer(request: IncomingRequest, result: unknown): void {
    this.#checks.checkAnswer(request, result);
  }

  isOpen(sessionId: string, notification: QueuedNotification): boolean {
    return this.#sessions.isHandled(sessionId, notification);
  }

  onQueued(sessionId: string, notification: QueuedNotification): void {
    const { method, params } = notification;
    const sessions = this.#sessions;
    if (method === this.#names.update) this.#scope.slots.receiver(sessionId)?.onQueued(readUpdate(params));
    sessions.subagents?.onQueued(method, params);
    sessions.onQueued(sessionId, notification);
    // Reading pauses long before that, unless a handler waits for an answer: then it cannot.
    const { queuedSize } = this.connection.lanes;
    if (queuedSize <= maxQueuedSize) return;
    const waits = "which waits for an answer of the agent itself";
    this.connection.fail(new Error(`The agent has sent ${queuedSize} characters that wait for a handler, ${waits}`));
  }

  notification(message: QueuedNotification): unknown {
    const { method, params, size, isChecked } = message;
    const sessions = this.#sessions;
    const session = sessions.receiver(message);
    session?.onReceived(message);
    if (!isChecked) this.#checks.checkReceivedNotification(method, params, session);
    if (method === this.#names.update) {
      const running = this.#update(message, session);
      if (session?.unclaimed === true) sessions.onUnclaimedUpdate(session, size);
      return running;
    }
    if (method === this.#names.elicitationComplete && !this.#elicitations.complete(params)) return undefined;
    return this.#handlers.notify(method, params, session);
  }

  #update({ method, params, wasQueued, isDelivered }: QueuedNotification, session: S | undefined): unknown {
    const update = readUpdate(params);
    const turn = wasQueued === true ? session?.turnOf(update) : session?.onArrived(update);
    if (isDelivered !== true) session?.receive(update, turn);
    this.#sessions.subagents?.onHandled(method, params);
    const room = this.#waitsForLoops ? session?.room : undefined;
    if (room === undefined) return this.#runHandler(method, params, session, update);
    return this.#runUntilRoom(room, method, () => this.#runHandler(method, params, session, update));
  }

  #runHandler(method: string, params: unknown, session: S | undefined, update: AnyUpdate): unknown {
    if (session?.needsHandled(update) !== true) return this.#handlers.notify(method, params, session);
    return runBefore(
      () => this.#handlers.notify(method, params, session),
      () => session.onHandled(update),
    );
  }

  /** Runs a handler, and waits until loops have room for more. */
  async #runUntilRoom(room: Promise<void>, method: string, run: () => unknown): Promise<void> {
    try {
      await run();
    } catch (error) {
      // Now, and not when there is room.
      this.connection.reportFailure(method, error);
    }
    await room;
  }

  abandoned(call: OutgoingRequest): void {
    this.#rules.abandoned(call);
  }

  ended(reason: Error, wanted: boolean): void {
    this.#rules.ended(reason);
    this.#sessions.endAll(reason, wanted ? undefined : reason);
  }
}

/** The update in params that were decoded. */
function readUpdate(params: unknown): AnyUpdate {
  return (params as { readonly update: AnyUpdate }).update;
}

/** Runs a handler, and `done` once it is done; a failure of the handler is passed on. */
function runBefore(run: () => unknown, done: () => void): unknown {
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
