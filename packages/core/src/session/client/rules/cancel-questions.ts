import { AbortReason } from "../../../base/abort.ts";
import type { IncomingRequest } from "../../../rpc/incoming-requests.ts";
import type { OutgoingRequest } from "../../../rpc/outgoing-requests.ts";
import { cancelledOutcome } from "../../rules/permission.ts";
import type { AgentFacts } from "../client-dialect.ts";
import type { ClientScope } from "../client-scope.ts";
import type { ClientSession } from "../client-session.ts";
import type { ClientRule } from "./rule.ts";

/** The rule, with the methods that sessions call. */
export interface CancelledQuestions<S> extends ClientRule<S> {
  /** Whether a request of this method asks the user something. */
  isQuestion(method: string): boolean;
  /** Whether a request of the agent for this session, or for a call of it, has no answer yet. */
  hasOpenRequest(sessionId: string): boolean;
}

/**
 * Answers the agent's questions, permission requests and elicitations, as cancelled when the user need not answer any more: the
 * turn is cancelled (PERM-07, CANC-03), its prompt was abandoned, or the session ends (SESS-15).
 *
 * `request` is for questions that arrive after that, the other hooks for those that are pending then.
 */
export function cancelQuestions<S extends ClientSession, Facts extends AgentFacts>(
  scope: ClientScope<S, Facts>,
): CancelledQuestions<S> {
  const { dialect, names, connection, slots } = scope;
  const answers = new Map<string, object>([
    [names.requestPermission, cancelledOutcome],
    [names.elicit, { action: "cancel" }],
  ]);
  /** The calls that questions are for, by the params of the question: a call may be answered before its question. */
  const calls = new WeakMap<object, OutgoingRequest>();

  /** The call of this side that a question is for, if it named one that had no answer yet (ELIC-05). */
  function callOf(params: unknown): OutgoingRequest | undefined {
    const { requestId } = (params ?? {}) as { readonly requestId?: unknown };
    const call = calls.get(params as object) ?? connection.calls.get(requestId);
    if (call !== undefined) calls.set(params as object, call);
    return call;
  }

  /** Whether a question that has just arrived is cancelled already. */
  function isCancelled(params: unknown, session: S | undefined): boolean {
    if (callOf(params)?.cancelsQuestions === true) return true;
    if (session === undefined) return false;
    if (session.cancelsQuestion(params)) return true;
    const prompts = dialect.promptEndsTurn ? promptsOf(session.id) : [];
    return prompts.length > 0 && prompts.every(({ cancelsQuestions }) => cancelsQuestions);
  }

  /** The prompts of a session that have no answer yet. */
  function promptsOf(sessionId: string): readonly OutgoingRequest[] {
    const isPrompt = (call: OutgoingRequest): boolean => call.sessionId === sessionId && call.method === names.prompt;
    return connection.calls.values(isPrompt, [sessionId]);
  }

  /** Cancels the questions that fit, by the session and the call they are for: those of session `of`, or of a call. */
  function cancel(
    fits: (sessionId: string | undefined, call: OutgoingRequest | undefined, params: unknown) => boolean,
    of = "",
  ): void {
    const reason = new AbortReason("The turn was cancelled, or what else the question was for");
    const isAsked = ({ params, sessionId }: IncomingRequest): boolean => {
      const call = callOf(params);
      return fits(sessionId ?? call?.sessionId, call, params);
    };
    // A question for a call names no session (ELIC-05).
    for (const request of connection.incoming.values(isAsked, [of, ""])) answer(request, reason);
  }

  /** Answers a request that waits for the user, and aborts its handler. */
  function answer(request: IncomingRequest, reason: unknown): void {
    const cancelled = answers.get(request.method);
    if (cancelled === undefined) return;
    request.answer(cancelled);
    request.abort(reason);
  }

  return {
    isQuestion: (method) => answers.has(method),

    request(asked, next) {
      const { request, session } = asked;
      const cancelled = answers.get(request.method);
      if (cancelled === undefined) return next(asked);
      if (isCancelled(request.params, session ?? slots.liveFor(callOf(request.params)))) return cancelled;
      if (dialect.answersCancelledQuestions) request.addEventListener("abort", () => request.answer(cancelled));
      return next(asked);
    },

    hasOpenRequest(id) {
      const isFor = ({ params, sessionId }: IncomingRequest): boolean =>
        (sessionId ?? callOf(params)?.sessionId) === id;
      return connection.incoming.values(isFor, [id, ""]).length > 0;
    },

    cancelled(sessionId, isConcerned) {
      for (const prompt of promptsOf(sessionId)) prompt.cancelsQuestions = true;
      cancel((of, _call, params) => of === sessionId && isConcerned?.(params) !== false, sessionId);
    },

    /** Also cancels the questions for the turn that the call started. */
    abandoned(call) {
      const turn = dialect.promptEndsTurn && call.method === names.prompt ? call.sessionId : undefined;
      call.cancelsQuestions = true;
      cancel((sessionId, other) => other === call || (turn !== undefined && sessionId === turn), turn);
    },

    ended(reason) {
      for (const request of connection.incoming.values()) answer(request, reason);
    },
  };
}
