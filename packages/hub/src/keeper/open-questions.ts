import { isObject, randomId } from "@acp/core/internal";
import { createDeferred, type Deferred } from "../deferred.ts";
import type { AskOutcome, Command, EntryBody, ProtocolVersion } from "../journal/entry.ts";

/** What the questions of a session need of their keeper. */
export interface QuestionParts {
  readonly version: ProtocolVersion;
  /** How many may be open. */
  readonly limit: number;
  /** Stores an entry; resolves once it is stored. */
  add(body: EntryBody, by?: string): Promise<void>;
  /** The first question is open, or the last one is answered. */
  onChange(): void;
}

interface Open {
  readonly method: string;
  readonly params: unknown;
  readonly answer: Deferred<unknown>;
  /** Somebody has answered, and the answer is being stored. */
  isTaken: boolean;
}

/** Why an answer does not count. */
export type AnswerRefusal = "unknown" | "taken" | "invalid";

/** The questions of the agent that wait for an answer: each is answered once, whoever is first. */
export class OpenQuestions {
  readonly #parts: QuestionParts;
  readonly #open = new Map<string, Open>();

  constructor(parts: QuestionParts) {
    this.#parts = parts;
  }

  get size(): number {
    return this.#open.size;
  }

  /** Asks everybody. Resolves with the result for the agent. */
  async ask(method: string, params: unknown, signal: AbortSignal): Promise<unknown> {
    const { limit, version: v, add } = this.#parts;
    if (this.#open.size >= limit)
      throw new Error(`${this.#open.size} questions of the session are open, which is all there may be (questions)`);
    const id = `ask-${randomId()}`;
    const question: Open = { method, params, answer: createDeferred(), isTaken: false };
    question.answer.promise.catch(() => {});
    this.#open.set(id, question);
    const withdraw = (): void =>
      this.#end(id, question, { type: "cancelled" }, () => question.answer.reject(signal.reason));
    signal.addEventListener("abort", withdraw, { once: true });
    try {
      try {
        await add({ t: "ask", id, v, method, params });
      } catch (error) {
        this.#open.delete(id);
        throw error;
      }
      this.#parts.onChange();
      if (signal.aborted) withdraw();
      return await question.answer.promise;
    } finally {
      signal.removeEventListener("abort", withdraw);
    }
  }

  /** Takes the answer of a client. The agent gets it once it is stored. Returns why it does not count, if so. */
  answer(command: Extract<Command, { type: "answer" }>): AnswerRefusal | undefined {
    const question = this.#open.get(command.ask);
    if (question === undefined) return "unknown";
    if (question.isTaken) return "taken";
    const outcome = outcomeOf(question, command.result);
    if (outcome === undefined) return "invalid";
    this.#end(command.ask, question, outcome, () => question.answer.resolve(command.result), command.by);
    return undefined;
  }

  /** Answers all of them with what an agent gets for a question that nobody answers. */
  cancelAll(): void {
    for (const [id, question] of this.#open) {
      this.#end(id, question, { type: "cancelled" }, () => question.answer.resolve(withdrawn(question.method)));
    }
  }

  #end(id: string, question: Open, outcome: AskOutcome, settle: () => void, by?: string): void {
    if (question.isTaken) return;
    question.isTaken = true;
    const end = (result: () => void): void => {
      this.#open.delete(id);
      result();
      this.#parts.onChange();
    };
    this.#parts.add({ t: "answered", id, outcome }, by).then(
      () => end(settle),
      // An answer that is not in the journal never was.
      (error: unknown) => end(() => question.answer.reject(error)),
    );
  }
}

/** What the agent gets if a question is withdrawn. */
function withdrawn(method: string): unknown {
  return method === "session/request_permission" ? { outcome: { outcome: "cancelled" } } : { action: "cancel" };
}

/** What a journal keeps of an answer. `undefined` for one that does not fit the question. */
function outcomeOf({ method, params }: Open, result: unknown): AskOutcome | undefined {
  if (!isObject(result)) return undefined;
  if (method !== "session/request_permission") {
    const action = result["action"];
    return action === "accept" || action === "decline" || action === "cancel"
      ? { type: "elicitation", action }
      : undefined;
  }
  const outcome = result["outcome"];
  if (!isObject(outcome)) return undefined;
  if (outcome["outcome"] === "cancelled") return { type: "permission", outcome };
  return outcome["outcome"] === "selected" && isOffered(params, outcome["optionId"])
    ? { type: "permission", outcome }
    : undefined;
}

function isOffered(params: unknown, optionId: unknown): boolean {
  const options = isObject(params) && Array.isArray(params["options"]) ? (params["options"] as unknown[]) : [];
  return options.some((option) => isObject(option) && option["optionId"] === optionId);
}
