import type { ArgumentProblem } from "./arguments.ts";

interface Params {
  readonly elicitationId?: unknown;
  readonly sessionId?: unknown;
  readonly requestId?: unknown;
}

/** A question to the user. */
interface Question {
  readonly answered: boolean;
}

/**
 * The questions of one connection. It remembers questions by URL until they are completed. That may never be reported, so a
 * new question may reuse the id of one that was accepted, but not of one that is pending.
 */
export interface Elicitations {
  /**
   * Lets `run` answer a question. Removes the content of an answer that declines or cancels, which must stay private (ELIC-13,
   * ELIC-14). A cancelled question is over when `question` is answered, even if `run` is still pending.
   *
   * @throws the error that `refuse` makes for a question that breaks a rule (ELIC-05, ELIC-17).
   */
  ask(
    params: unknown,
    refuse: (problem: ArgumentProblem) => Error,
    run: () => unknown,
    question?: Question,
  ): Promise<unknown>;
  /** Completes a question by URL. Returns `false` for an unknown id (ELIC-20, ELIC-21). */
  complete(params: unknown): boolean;
}

export function createElicitations(): Elicitations {
  const open = new Map<unknown, Question>();
  return {
    async ask(params, refuse, run, question = { answered: false }) {
      const { elicitationId: id, sessionId, requestId } = params as Params;
      // The id of a request may be `null`.
      if ((sessionId == null) === (requestId === undefined)) {
        throw refuse({ path: [], reason: "expected either sessionId or requestId", rule: "ELIC-05" });
      }
      if (open.get(id)?.answered === false) {
        throw refuse({ path: ["elicitationId"], reason: "is in use by a question without an answer", rule: "ELIC-17" });
      }
      if (id !== undefined) open.set(id, question);
      let isAccepted = false;
      try {
        const answer = await run();
        const { action, content } = (answer ?? {}) as { readonly action?: unknown; readonly content?: unknown };
        isAccepted = action === "accept";
        const isRefused = action === "decline" || action === "cancel";
        return isRefused && content !== undefined ? { ...(answer as object), content: undefined } : answer;
      } finally {
        if (open.get(id) === question) {
          if (isAccepted) open.set(id, { answered: true });
          else open.delete(id);
        }
      }
    },
    complete: (params) => open.delete((params as Params).elicitationId),
  };
}
