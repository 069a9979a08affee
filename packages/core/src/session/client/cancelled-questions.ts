import { AbortReason } from "../../base/abort.ts";
import type { Connection } from "../../rpc/connection.ts";
import type { IncomingRequest } from "../../rpc/incoming-requests.ts";
import type { OutgoingRequest } from "../../rpc/outgoing-requests.ts";
import { cancelledOutcome } from "../rules/permission.ts";
import type { ClientMethodNames } from "./client-session.ts";

/** A session, as far as it decides which of its questions are cancelled. */
interface AskingSession {
  readonly id: string;
  cancelsQuestion(params: unknown): boolean;
}

/**
 * Answers the agent's questions as cancelled, permission requests and elicitations, when nobody is to be asked any more: the
 * turn is cancelled (PERM-07, CANC-03), its prompt was given up, or the session ends (SESS-15).
 *
 * {@link isCancelled} and {@link answerOf} are for questions that arrive after that, the other methods for those that are
 * pending then.
 */
export class CancelledQuestions {
  readonly #connection: Connection;
  readonly #prompt: string;
  readonly #promptEndsTurn: boolean;
  readonly #answers: ReadonlyMap<string, object>;
  /** The calls that questions are for, by the params of the question: a call may be answered before its question. */
  readonly #calls = new WeakMap<object, OutgoingRequest>();

  constructor(connection: Connection, names: ClientMethodNames, promptEndsTurn: boolean) {
    this.#connection = connection;
    this.#prompt = names.prompt;
    this.#promptEndsTurn = promptEndsTurn;
    this.#answers = new Map<string, object>([
      [names.requestPermission, cancelledOutcome],
      [names.elicit, { action: "cancel" }],
    ]);
  }

  /** The answer to a question of this method that is cancelled; `undefined` for a request that is no question. */
  answerOf(method: string): object | undefined {
    return this.#answers.get(method);
  }

  /** Whether a question that has just arrived is cancelled already. */
  isCancelled(params: unknown, session: AskingSession | undefined): boolean {
    if (this.callOf(params)?.cancelsQuestions === true) return true;
    if (session === undefined) return false;
    if (session.cancelsQuestion(params)) return true;
    const prompts = this.#promptEndsTurn ? this.#promptsOf(session.id) : [];
    return prompts.length > 0 && prompts.every(({ cancelsQuestions }) => cancelsQuestions);
  }

  /** The call of this side that a question is for, if it named one that had no answer yet (ELIC-05). */
  callOf(params: unknown): OutgoingRequest | undefined {
    const { requestId } = (params ?? {}) as { readonly requestId?: unknown };
    const call = this.#calls.get(params as object) ?? this.#connection.calls.get(requestId);
    if (call !== undefined) this.#calls.set(params as object, call);
    return call;
  }

  /** The client has given up a call: cancels the questions for it, and for the turn that it began. */
  onGivenUp(call: OutgoingRequest): void {
    const turn = this.#promptEndsTurn && call.method === this.#prompt ? call.sessionId : undefined;
    call.cancelsQuestions = true;
    this.#cancel((sessionId, other) => other === call || (turn !== undefined && sessionId === turn), turn);
  }

  /** Turns of a session are cancelled, or it ends; with `isConcerned` only questions with such params are for them. */
  cancelIn(sessionId: string, isConcerned?: (params: unknown) => boolean): void {
    for (const prompt of this.#promptsOf(sessionId)) prompt.cancelsQuestions = true;
    this.#cancel((of, _call, params) => of === sessionId && isConcerned?.(params) !== false, sessionId);
  }

  /** Whether a request of the agent for this session, or for a call of it, waits for its answer. */
  hasOpenRequest(id: string): boolean {
    const isFor = ({ params, sessionId }: IncomingRequest): boolean =>
      (sessionId ?? this.callOf(params)?.sessionId) === id;
    return this.#connection.incoming.values(isFor, [id, ""]).length > 0;
  }

  /** The connection has ended. */
  cancelAll(reason: unknown): void {
    for (const request of this.#connection.incoming.values()) this.#answer(request, reason);
  }

  /** Cancels the questions that fit, by the session and the call they are for: those of session `of`, or of a call. */
  #cancel(
    fits: (sessionId: string | undefined, call: OutgoingRequest | undefined, params: unknown) => boolean,
    of = "",
  ): void {
    const reason = new AbortReason("The turn was cancelled, or what else the question was for");
    const isAsked = ({ params, sessionId }: IncomingRequest): boolean => {
      const call = this.callOf(params);
      return fits(sessionId ?? call?.sessionId, call, params);
    };
    // A question for a call names no session (ELIC-05).
    for (const request of this.#connection.incoming.values(isAsked, [of, ""])) this.#answer(request, reason);
  }

  /** Answers a request that waits for the user, and aborts its handler. */
  #answer(request: IncomingRequest, reason: unknown): void {
    const answer = this.#answers.get(request.method);
    if (answer === undefined) return;
    request.answer(answer);
    request.abort(reason);
  }

  /** The prompts of a session that have no answer yet. */
  #promptsOf(sessionId: string): readonly OutgoingRequest[] {
    const isPrompt = (call: OutgoingRequest): boolean => call.sessionId === sessionId && call.method === this.#prompt;
    return this.#connection.calls.values(isPrompt, [sessionId]);
  }
}
