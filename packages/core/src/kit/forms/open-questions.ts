import type { CreateElicitationResponse } from "@acp/schema/v1/types";
import type { QuestionContext } from "./questions.ts";

interface Question {
  readonly session: QuestionContext["session"];
  readonly completed: AbortController;
}

/** The questions by URL that the agents of a client may still tell the end of. */
export class OpenQuestions {
  /** By connection: nowhere else is an id one question's (ELIC-17). */
  readonly #open = new WeakMap<object, Map<string, Question>>();
  /** The sessions whose end is listened to, once for all their questions: some runtimes warn of many listeners. */
  readonly #sessions = new WeakSet<object>();

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
    const open = this.#open.get(connection) ?? new Map<string, Question>();
    this.#open.set(connection, open);
    const question = { session, completed: new AbortController() };
    open.set(id, question);
    const forget = (): void => {
      // Its id may be another question's by now.
      if (open.get(id) === question) open.delete(id);
    };
    signal.addEventListener("abort", forget, { once: true });
    let isAccepted = false;
    try {
      const answer = await ask(question.completed.signal);
      isAccepted = answer.action === "accept" && !signal.aborted && session?.signal.aborted !== true;
      return answer;
    } finally {
      if (!isAccepted) forget();
      else if (session !== undefined) this.#forgetAtEnd(session, open);
    }
  }

  /** The agent says that one is over; one that nobody knows is let be (ELIC-21). */
  complete(id: string, context: QuestionContext): void {
    const open = this.#open.get(connectionOf(context));
    open?.get(id)?.completed.abort(new DOMException("The agent says that it is done", "AbortError"));
    open?.delete(id);
  }

  #forgetAtEnd(ending: NonNullable<QuestionContext["session"]>, open: Map<string, Question>): void {
    if (this.#sessions.has(ending)) return;
    this.#sessions.add(ending);
    const forget = (): void => {
      for (const [id, { session }] of open) if (session === ending) open.delete(id);
    };
    ending.signal.addEventListener("abort", forget, { once: true });
  }
}

/** What stands for the connection of a handler's context: its agent, which a session has a view of its own on. */
function connectionOf({ session, agent }: QuestionContext): object {
  // Every session is attached to one, whatever its version.
  return (session as { readonly connection?: object } | undefined)?.connection ?? agent;
}
