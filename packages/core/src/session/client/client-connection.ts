import { type DiagnosticListener, guardListener } from "../../base/diagnostics.ts";
import { isThenable } from "../../base/promises.ts";
import { ProtocolError } from "../../base/errors.ts";
import { settledWithin } from "../../base/timers.ts";
import { answersInOrder } from "../../rpc/answer-order.ts";
import { type Connection, createConnection } from "../../rpc/connection.ts";
import type { Dispatcher } from "../../rpc/dispatcher.ts";
import type { CheckedIncomingLimits } from "../../rpc/incoming-limits.ts";
import type { IncomingRequest } from "../../rpc/incoming-requests.ts";
import type { QueuedNotification } from "../../rpc/dispatcher.ts";
import { createMethodIndex } from "../../rpc/method-index.ts";
import type { OutgoingRequest } from "../../rpc/outgoing-requests.ts";
import { type MetaOptions, pickMeta } from "../../rpc/peer.ts";
import type { ClientRole } from "../../rpc/role.ts";
import type { Transport } from "../../transport/transport.ts";
import type { UntypedHandler } from "../handler-table.ts";
import type { GateMode } from "../rules/call-rules.ts";
import { createTextChunkReader } from "../text-chunks/read-text-chunks.ts";
import { CancelledQuestions } from "./cancelled-questions.ts";
import { ClientCalls, type LoginOf } from "./client-calls.ts";
import type { AgentFacts, ClientDialect } from "./client-dialect.ts";
import { ClientHandlerRunner } from "./client-handler-runner.ts";
import { ClientQuestions } from "./client-questions.ts";
import type { ClientMethodNames, ClientSession } from "./client-session.ts";
import type { StallLimits } from "./stall-watch.ts";
import type { UnreadLimits } from "./updates/unread-updates.ts";
import { handshake } from "./handshake.ts";
import type { AnyUpdate } from "./updates/update-event.ts";

/** How much may wait for handlers, in characters: two of the largest messages. */
const maxQueuedSize = 128 * 1024 * 1024;

/** What a client's connection is made from. */
export interface ClientConnectionOptions<Facts extends AgentFacts> {
  readonly table: ClientRole;
  readonly handlers: ReadonlyMap<string, UntypedHandler>;
  readonly info: object;
  readonly capabilities: object;
  readonly gate: GateMode;
  /** Asks the user to log in when the agent wants that. */
  readonly authenticate: LoginOf<Facts> | undefined;
  readonly transport: Transport;
  readonly onDiagnostic: DiagnosticListener | undefined;
  readonly startTimeout: number;
  /** How turns are watched, unless their prompt says something else. */
  readonly stall: StallLimits;
  /** What loops over updates may leave unread. */
  readonly unread: UnreadLimits;
  readonly limits: CheckedIncomingLimits;
  readonly signal: AbortSignal | undefined;
  /** For `initialize`. */
  readonly _meta: MetaOptions["_meta"];
}

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
  readonly #names: ClientMethodNames;
  readonly #options: ClientConnectionOptions<Facts>;
  readonly #cancelledQuestions: CancelledQuestions;
  readonly #calls: ClientCalls<S, Facts>;
  readonly #handlers: ClientHandlerRunner;
  readonly #questions: ClientQuestions<S, Facts>;
  readonly #waitsForLoops: boolean;
  /** The params of `initialize` as JSON, until the agent has answered it. */
  #opening: string | undefined;

  constructor(dialect: ClientDialect<S, Facts, Agent>, options: ClientConnectionOptions<Facts>) {
    const { transport, table, handlers, capabilities } = options;
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
    this.#cancelledQuestions = new CancelledQuestions(this.connection, this.#names, dialect.promptEndsTurn);
    this.#calls = new ClientCalls({
      ...options,
      dialect,
      methods,
      connection: this.connection,
      cancelledQuestions: this.#cancelledQuestions,
      report,
      hasUpdateHandler: handlers.has(this.#names.update),
    });
    this.#handlers = new ClientHandlerRunner(handlers, this.#calls.peer, this.connection);
    this.#questions = new ClientQuestions({
      dialect,
      capabilities,
      calls: this.#calls,
      cancelled: this.#cancelledQuestions,
      handlers: this.#handlers,
    });
    this.connection.start();
  }

  async initialize(): Promise<Agent> {
    const { table, info, capabilities } = this.#options;
    const params = {
      protocolVersion: table.protocolVersion,
      ...this.#dialect.initializeParams(info, capabilities),
      ...pickMeta(this.#options),
    };
    this.#opening = JSON.stringify(params);
    // Known the moment it arrives: a request of the agent may arrive right behind it.
    const answer = await handshake(this.connection, this.#names.initialize, params, this.#options, (early) => {
      this.#calls.agent = this.#dialect.readAgent(early);
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
    return this.#questions.answer(request);
  }

  checkAnswer(request: IncomingRequest, result: unknown): void {
    this.#calls.rules.checkAnswer(request, result);
  }

  isOpen(sessionId: string, notification: QueuedNotification): boolean {
    return this.#calls.sessions.isHandled(sessionId, notification);
  }

  onQueued(sessionId: string, notification: QueuedNotification): void {
    const { method, params } = notification;
    const { sessions } = this.#calls;
    if (method === this.#names.update) sessions.receiver(sessionId)?.onQueued(readUpdate(params));
    sessions.subagents?.onQueued(method, params);
    sessions.onQueued(sessionId, notification);
    // Reading pauses long before that, unless a handler waits for an answer: then it cannot.
    const { queuedSize } = this.connection.lanes;
    if (queuedSize <= maxQueuedSize) return;
    const waits = "which waits for an answer of the agent itself";
    this.connection.fail(new Error(`The agent has sent ${queuedSize} characters that wait for a handler, ${waits}`));
  }

  notification(message: QueuedNotification): unknown {
    const { method, params, size, isChecked, wasQueued } = message;
    const { sessions, rules } = this.#calls;
    const session = sessions.forNotification(params);
    session?.onReceived(message);
    if (!isChecked) rules.checkReceivedNotification(method, params, session);
    if (method === this.#names.update) {
      const running = this.#update(method, params, session, wasQueued === true);
      if (session?.unclaimed === true) sessions.onUnclaimedUpdate(session, size);
      return running;
    }
    if (method === this.#names.elicitationComplete && !this.#questions.complete(method, params)) return undefined;
    return this.#handlers.notify(method, params, session);
  }

  #update(method: string, params: unknown, session: S | undefined, wasQueued: boolean): unknown {
    const update = readUpdate(params);
    const turn = wasQueued ? session?.turnOf(update) : session?.onArrived(update);
    session?.receive(update, turn);
    this.#calls.sessions.subagents?.onHandled(method, params);
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
    this.#cancelledQuestions.onGivenUp(call);
  }

  ended(reason: Error, wanted: boolean): void {
    this.#cancelledQuestions.cancelAll(reason);
    this.#calls.sessions.endAll(reason, wanted ? undefined : reason);
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
