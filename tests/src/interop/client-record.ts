import { asObject, type Json } from "./json.ts";

/** How a row's client answers a request of the agent; throws a `ChosenFailure` for an error. */
export type ClientAnswer = (params: Json, signal: AbortSignal) => unknown;

/** Under this name the toolkit's client notes the updates whose variant it does not know. */
export const unknownUpdate = "an unknown update";

export interface SeenMessage {
  readonly method: string;
  readonly params: Json;
}

/** What a client saw, and how it answers. */
export class ClientRecord {
  /** The updates of all sessions, in the order they were handled. */
  readonly updates: { readonly sessionId: string; readonly update: Json }[] = [];
  /** Requests and notifications of the agent, other than updates. */
  readonly messages: SeenMessage[] = [];
  readonly #answers = new Map<string, ClientAnswer>();

  /** Replaces the program's own answer until `reset`. */
  answer(method: string, answer: ClientAnswer): void {
    this.#answers.set(method, answer);
  }

  answerOf(method: string): ClientAnswer | undefined {
    return this.#answers.get(method);
  }

  saw(method: string, params: unknown): void {
    this.messages.push({ method, params: asObject(params) });
  }

  sawUpdate(params: unknown): void {
    const { sessionId, update } = asObject(params);
    this.updates.push({ sessionId: String(sessionId), update: asObject(update) });
  }

  updatesOf(sessionId: string): readonly Json[] {
    return this.updates.filter((entry) => entry.sessionId === sessionId).map(({ update }) => update);
  }

  /** The params of every message of a method. */
  paramsOf(method: string): readonly Json[] {
    return this.messages.filter((message) => message.method === method).map(({ params }) => params);
  }

  /** Forgets what was seen and arranged. */
  reset(): void {
    this.updates.length = 0;
    this.messages.length = 0;
    this.#answers.clear();
  }
}
