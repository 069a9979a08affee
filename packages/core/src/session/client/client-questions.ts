import { Refusal, refuseNow } from "../../rpc/refusal.ts";
import type { IncomingRequest } from "../../rpc/incoming-requests.ts";
import { readSessionId } from "../../rpc/request-table.ts";
import { refuseArguments } from "../rules/arguments.ts";
import { createElicitations } from "../rules/elicitations.ts";
import { checkOutcome, chooseRejection } from "../rules/permission.ts";
import { checkMode } from "../rules/question-modes.ts";
import type { CancelledQuestions } from "./cancelled-questions.ts";
import type { ClientCalls } from "./client-calls.ts";
import type { AgentFacts, ClientDialect } from "./client-dialect.ts";
import type { ClientHandlerRunner } from "./client-handler-runner.ts";
import type { ClientSession } from "./client-session.ts";

/** What a client answers its agent's requests from. */
export interface ClientQuestionsOptions<S extends ClientSession, Facts extends AgentFacts> {
  readonly dialect: ClientDialect<S, Facts, unknown>;
  readonly capabilities: object;
  readonly calls: ClientCalls<S, Facts>;
  readonly cancelled: CancelledQuestions;
  readonly handlers: ClientHandlerRunner;
}

/** Answers the requests of the agent; most of them ask the user something. */
export class ClientQuestions<S extends ClientSession, Facts extends AgentFacts> {
  readonly #options: ClientQuestionsOptions<S, Facts>;
  readonly #elicitations = createElicitations();

  constructor(options: ClientQuestionsOptions<S, Facts>) {
    this.#options = options;
  }

  /** Answers a request. Throws, or rejects with, what becomes the error answer. */
  answer(request: IncomingRequest): unknown {
    const { dialect, capabilities, calls, cancelled, handlers } = this.#options;
    const { method, params, entry } = request;
    if (calls.agent === undefined) throw refuseNow(`${dialect.methods.initialize} has not been answered`);
    const cancelledAnswer = cancelled.answerOf(method);
    const isQuestion = cancelledAnswer !== undefined;
    const session = calls.sessions.forRequest(params, isQuestion);
    // An extension may mean something else by it.
    if (entry !== undefined && (session === undefined || (session.unclaimed && !isQuestion))) {
      this.#refuseUnknown(params, isQuestion);
    }
    session?.onReceived({ method, params: undefined });
    const { requestPermission, elicit } = dialect.methods;
    calls.rules.checkReceived(request, method === requestPermission);
    checkMode(request, capabilities);
    if (cancelledAnswer !== undefined) {
      if (method === requestPermission) session?.onPermissionRequest(params);
      const asking = session ?? calls.sessions.forParams(cancelled.callOf(params));
      if (cancelled.isCancelled(params, asking)) return cancelledAnswer;
      if (dialect.answersCancelledQuestions) request.addEventListener("abort", () => request.answer(cancelledAnswer));
    }
    if (method === requestPermission) return this.#askPermission(request, session);
    if (method !== elicit) {
      const answer = handlers.run(method, params, session, request);
      session?.onAnswer(method, answer);
      return answer;
    }
    const ask = (): unknown => handlers.run(method, params, session, request);
    return this.#elicitations.ask(params, refuseArguments, ask, request);
  }

  /** @throws {Refusal} if the params name a session: it is not open, or has no files and terminals. */
  #refuseUnknown(params: unknown, isQuestion: boolean): void {
    if (readSessionId(params) === undefined) return;
    const { dialect, calls } = this.#options;
    const refusal = dialect.unknownSession(params);
    const why = calls.sessions.explainRefusal(params, isQuestion);
    if (why === undefined) throw refusal;
    const { wire, path, reason } = refusal;
    throw new Refusal({ ...wire, message: `${wire.message}: ${why}` }, path, `${reason}: ${why}`);
  }

  /** Returns whether the question by URL that is over was open; if not, it is reported. */
  complete(method: string, params: unknown): boolean {
    if (this.#elicitations.complete(params)) return true;
    this.#options.calls.rules.warn(method, `${method} names no question that is open; it was ignored`, "ELIC-21");
    return false;
  }

  async #askPermission(request: IncomingRequest, session: S | undefined): Promise<unknown> {
    const { method, params } = request;
    const { calls, handlers } = this.#options;
    if (!handlers.has(method)) {
      const message = `${method} was rejected: there is no handler to ask the user`;
      calls.rules.warn(method, message, "INIT-18", { sessionId: session?.id });
      return chooseRejection(params);
    }
    const outcome = await handlers.run(method, params, session, request);
    calls.rules.refuse(`The answer of ${method}`, checkOutcome(params, outcome));
    return outcome;
  }
}
