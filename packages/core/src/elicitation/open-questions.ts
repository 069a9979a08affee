import type { CreateElicitationResponse } from "@acp/schema/v1";
import type { AttachedSession } from "../v1/attached-session.ts";
import type { QuestionContext } from "./questions.ts";

/** The questions by URL that the agents of a client may still tell the end of. */
export class OpenQuestions {
  /** By connection: nowhere else is an id one question's (ELIC-17). */
  readonly #open = new WeakMap<object, Map<string, AbortController>>();

  /**
   * Asks one. Its end can be told from now on: until it is declined or taken back, else until its session ends, which
   * one of a request has not; it goes with its connection.
   */
  async ask(
    id: string,
    context: QuestionContext,
    ask: (completed: AbortSignal) => Promise<CreateElicitationResponse>,
  ): Promise<CreateElicitationResponse> {
    const { session, signal } = context;
    const connection = connectionOf(context);
    const open = this.#open.get(connection) ?? new Map<string, AbortController>();
    this.#open.set(connection, open);
    const question = new AbortController();
    open.set(id, question);
    const forget = (): void => {
      // Its id may be another question's by now.
      if (open.get(id) === question) open.delete(id);
    };
    signal.addEventListener("abort", forget, { once: true });
    let isAccepted = false;
    try {
      const answer = await ask(question.signal);
      isAccepted = answer.action === "accept" && !signal.aborted && session?.signal.aborted !== true;
      return answer;
    } finally {
      if (isAccepted) session?.signal.addEventListener("abort", forget, { once: true, signal: question.signal });
      else forget();
    }
  }

  /** The agent says that one is over; one that nobody knows is let be (ELIC-21). */
  complete(id: string, context: QuestionContext): void {
    const open = this.#open.get(connectionOf(context));
    open?.get(id)?.abort(new DOMException("The agent says that it is done", "AbortError"));
    open?.delete(id);
  }
}

/** What stands for the connection of a handler's context: its agent, which a session has a view of its own on. */
function connectionOf({ session, agent }: QuestionContext): object {
  // Every session is one of these.
  return (session as AttachedSession | undefined)?.connection ?? agent;
}
