import type { AgentMethods, CreateElicitationResponse } from "@acp/schema/v1/types";
import type { Peer } from "../../rpc/peer.ts";
import type { ClientSession } from "../../v1/client-session.ts";

/** The members of a handler's context that are the same for all clients. */
export interface QuestionContext {
  /** The agent. */
  readonly agent: Pick<Peer<AgentMethods>, "request" | "notify">;
  /** The session that the question belongs to, if there is one. It is `unclaimed` if the agent opened it by itself. */
  readonly session: AskingSession | undefined;
  /** Aborts when the answer is no longer needed: the turn is cancelled, or the agent cancels its question. */
  readonly signal: AbortSignal;
}

type AskingSession = Pick<ClientSession, "id" | "cwd" | "additionalDirectories" | "meta" | "signal" | "unclaimed">;

interface Question {
  readonly session: QuestionContext["session"];
  readonly completed: AbortController;
}

/** The URL questions of a client's agents that an agent may still report as completed. */
export class OpenQuestions {
  /** By connection: ids are unique only within one (ELIC-17). */
  readonly #open = new WeakMap<object, Map<string, Question>>();
  /** Sessions with a listener for their end. One serves all their questions: some runtimes warn of many listeners. */
  readonly #sessions = new WeakSet<object>();

  /**
   * Asks a question. It can be completed from now on, until it is declined or cancelled, or until its session ends. The
   * question of a request has no session: it stays open as long as its connection.
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
      // The id may belong to a newer question by now.
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

  /** The agent reports a question as completed. An unknown id is ignored (ELIC-21). */
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

/** The object that identifies the connection. With a session, `agent` is a view for that session only. */
function connectionOf({ session, agent }: QuestionContext): object {
  return (session as { readonly connection?: object } | undefined)?.connection ?? agent;
}
