import type { ChatQuestion } from "../chat-state.ts";

/** A question without its id. */
export type NewQuestion = ChatQuestion extends infer Question
  ? Question extends unknown
    ? Omit<Question, "id">
    : never
  : never;

/** Who asks a question: a session, or the agent as a whole. */
type Asker = string | undefined;

interface OpenQuestion {
  readonly question: ChatQuestion;
  readonly sessionId: Asker;
  readonly answer: (value: unknown) => void;
}

/** The questions that nobody has answered yet, first come first. */
export class QuestionList {
  readonly #onChange: () => void;
  #open: readonly OpenQuestion[] = [];
  #lastId = 0;

  constructor(onChange: () => void) {
    this.#onChange = onChange;
  }

  /** How many questions there were so far. */
  get count(): number {
    return this.#lastId;
  }

  /**
   * Asks the user, and resolves with the answer. Rejects as soon as `signal` aborts: the agent has withdrawn the question, or
   * its turn was cancelled.
   */
  ask<Answer>(question: NewQuestion, sessionId: Asker, signal: AbortSignal): Promise<Answer> {
    return new Promise((resolve, reject) => {
      if (signal.aborted) {
        reject(signal.reason as Error);
        return;
      }
      this.#lastId += 1;
      const withdraw = (): void => {
        this.#remove(open);
        reject(signal.reason as Error);
      };
      const open: OpenQuestion = {
        question: { ...question, id: this.#lastId },
        sessionId,
        answer: (value) => {
          signal.removeEventListener("abort", withdraw);
          this.#remove(open);
          // Whoever asks this kind of question also knows its answer's type.
          resolve(value as Answer);
        },
      };
      signal.addEventListener("abort", withdraw, { once: true });
      this.#open = [...this.#open, open];
      this.#onChange();
    });
  }

  /** The user has answered the question with this id. One that was withdrawn meanwhile needs no answer. */
  answer(id: number, value: unknown): void {
    this.#open.find(({ question }) => question.id === id)?.answer(value);
  }

  /** The questions of the agent as a whole and of these sessions. */
  of(isShown: (sessionId: string) => boolean): ChatQuestion[] {
    return this.#open
      .filter(({ sessionId }) => sessionId === undefined || isShown(sessionId))
      .map(({ question }) => question);
  }

  #remove(open: OpenQuestion): void {
    this.#open = this.#open.filter((one) => one !== open);
    this.#onChange();
  }
}

/** What the user has done with a form or a URL of the agent, in a word. */
export function answerWord(kind: "form" | "url", action: "accept" | "decline" | "cancel"): string {
  if (action === "accept") return kind === "form" ? "sent" : "opened";
  return action === "decline" ? "declined" : "closed";
}
