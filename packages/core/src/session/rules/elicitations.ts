import type { ArgumentProblem } from "./arguments.ts";

interface Params {
  readonly elicitationId?: unknown;
  readonly sessionId?: unknown;
  readonly requestId?: unknown;
}

/** A question, as far as it matters here. */
interface Question {
  readonly answered: boolean;
}

/**
 * The questions of one connection, and those by URL that are not over. One that was accepted may never
 * be told to be over, so its id can be used again; only one that has no answer yet keeps it.
 */
export interface Elicitations {
  /**
   * Has a question answered by `run`. Content of an answer that declines or cancels is left out: it is nobody's
   * business (ELIC-13, ELIC-14). One that is withdrawn has its answer, `question` says, whatever `run` waits for.
   *
   * @throws what `refuse` makes of a question that breaks a rule (ELIC-05, ELIC-17).
   */
  ask(
    params: unknown,
    refuse: (problem: ArgumentProblem) => Error,
    run: () => unknown,
    question?: Question,
  ): Promise<unknown>;
  /** One by URL is over; `false` for one that nobody knows (ELIC-20, ELIC-21). */
  complete(params: unknown): boolean;
}

export function createElicitations(): Elicitations {
  const open = new Map<unknown, Question>();
  return {
    async ask(params, refuse, run, question = { answered: false }) {
      const { elicitationId: id, sessionId, requestId } = (params ?? {}) as Params;
      // `null` is the id of a request, if of an odd one.
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
