import { createDeferred, type Deferred } from "../deferred.ts";
import type { Entry, TurnState } from "../journal/entry.ts";
import type { Ending } from "../journal/session-facts.ts";
import { type Audience, fromWireError } from "../wire-error.ts";

/** The prompts of one client, which wait for their end. */
export class OwnPrompts {
  readonly #audience: Audience;
  readonly #prompts = new Map<string, { readonly ended: Deferred<unknown>; users: number }>();

  constructor(audience: Audience) {
    this.#audience = audience;
  }

  /**
   * Resolves with the result of a prompt of this client, once everything before its end was shown. It is not shown to the client
   * that has written it.
   */
  expect(key: string): Promise<unknown> {
    const prompt = this.#prompts.get(key) ?? { ended: createDeferred<unknown>(), users: 0 };
    prompt.users += 1;
    this.#prompts.set(key, prompt);
    // The handler of the prompt may be gone.
    prompt.ended.promise.catch(() => {});
    return prompt.ended.promise;
  }

  /** Waits no more for the end of a prompt, once for each call of `expect`. */
  forget(key: string): void {
    const prompt = this.#prompts.get(key);
    if (prompt === undefined) return;
    prompt.users -= 1;
    if (prompt.users === 0) this.#prompts.delete(key);
  }

  has({ key }: { readonly key?: string | undefined }): boolean {
    return key !== undefined && this.#prompts.has(key);
  }

  /** Takes an entry that may be the end of a prompt. */
  settle(entry: Entry): void {
    if (entry.t !== "state" && entry.t !== "done") return;
    const { key } = entry;
    const prompt = key === undefined ? undefined : this.#prompts.get(key);
    const ending = entry.t === "state" ? endingOf(entry.state) : doneOf(entry);
    if (key === undefined || prompt === undefined || ending === undefined) return;
    this.#prompts.delete(key);
    if ("error" in ending) prompt.ended.reject(fromWireError(ending.error, this.#audience));
    else prompt.ended.resolve(ending.result);
  }

  /** None of them gets an answer any more. */
  rejectAll(error: Error): void {
    for (const { ended } of this.#prompts.values()) ended.reject(error);
    this.#prompts.clear();
  }
}

function doneOf({ error, result }: Extract<Entry, { t: "done" }>): Ending {
  return error === undefined ? { result } : { error };
}

function endingOf(state: TurnState): Ending | undefined {
  switch (state.state) {
    case "idle":
      return state.error === undefined ? { result: state.response } : { error: state.error };
    case "unknown":
      return { error: { code: -32603, message: "The agent's keeper has died: how far the turn came is unknown" } };
    default:
      return undefined;
  }
}
