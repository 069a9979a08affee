import { isThenable, readSessionId } from "@acp/core/internal";
import type { Forward, ProxyMessage } from "./relay-end.ts";

interface HeldPrompt {
  readonly sessionId: string | undefined;
  /** Passes the cancellation that has come meanwhile on once more. */
  cancelAgain: (() => unknown) | undefined;
}

/**
 * Prompts that an intercept has not passed on yet. `session/cancel` does not wait for it; but sent before its prompt
 * it would cancel nothing, so it is sent once more behind it. A prompt that comes behind a cancellation waits for that:
 * it is not meant.
 */
export class HeldPrompts {
  readonly #held = new Set<HeldPrompt>();
  /** The cancellations that an intercept has not passed on yet, by session. */
  readonly #cancels = new Map<string | undefined, Promise<void>>();

  /** Lets `decide` handle a message that has come from the client. */
  watch(message: ProxyMessage, forward: Forward, decide: (forward: Forward) => unknown): unknown {
    if (message.method === "session/cancel") return this.#watchCancel(message, forward, decide);
    return message.method === "session/prompt" ? this.#watchPrompt(message, forward, decide) : decide(forward);
  }

  #watchCancel({ params }: ProxyMessage, forward: Forward, decide: (forward: Forward) => unknown): unknown {
    // As it came, like that of the prompt: the intercept may give the agent another one.
    const sessionId = readSessionId(params);
    const meant = [...this.#held].filter((held) => held.sessionId === sessionId);
    const outcome = decide((passed) => {
      for (const held of meant) held.cancelAgain = () => forward(passed);
      return forward(passed);
    });
    if (!isThenable(outcome)) return outcome;
    const done = Promise.allSettled([outcome, this.#cancels.get(sessionId)]).then(() => {
      if (this.#cancels.get(sessionId) === done) this.#cancels.delete(sessionId);
    });
    this.#cancels.set(sessionId, done);
    return outcome;
  }

  async #watchPrompt(message: ProxyMessage, forward: Forward, decide: (forward: Forward) => unknown): Promise<unknown> {
    const held: HeldPrompt = { sessionId: readSessionId(message.params), cancelAgain: undefined };
    this.#held.add(held);
    try {
      const cancel = this.#cancels.get(held.sessionId);
      if (cancel !== undefined) await cancel;
      return await decide((passed) => this.#passPrompt(held, passed, forward));
    } finally {
      this.#held.delete(held);
    }
  }

  #passPrompt(held: HeldPrompt, passed: Parameters<Forward>[0], forward: Forward): Promise<unknown> {
    const answer = forward(passed);
    if (passed.method === "session/prompt") {
      this.#held.delete(held);
      // It is sent by now.
      held.cancelAgain?.();
    }
    return answer;
  }
}
