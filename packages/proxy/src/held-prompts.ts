import { isThenable, readSessionId } from "@acp/core/internal";
import type { Forward, ProxyMessage } from "./relay-end.ts";

interface HeldPrompt {
  readonly sessionId: string | undefined;
  /** Forwards a cancellation that arrived meanwhile once more. */
  cancelAgain: (() => unknown) | undefined;
}

/**
 * Prompts that an intercept has not forwarded yet. `session/cancel` passes them at once. But before its prompt it cancels
 * nothing, so it is sent once more after the prompt. A prompt that arrives after a cancellation waits until that is handled,
 * so that it is not cancelled itself.
 */
export class HeldPrompts {
  readonly #held = new Set<HeldPrompt>();
  /** Cancellations that an intercept has not handled yet, by session. */
  readonly #cancels = new Map<string | undefined, Promise<void>>();

  /** Lets `decide` handle a message of the client. */
  watch(message: ProxyMessage, forward: Forward, decide: (forward: Forward) => unknown): unknown {
    if (message.method === "session/cancel") return this.#watchCancel(message, forward, decide);
    return message.method === "session/prompt" ? this.#watchPrompt(message, forward, decide) : decide(forward);
  }

  #watchCancel({ params }: ProxyMessage, forward: Forward, decide: (forward: Forward) => unknown): unknown {
    // The received ids are compared: the intercept may forward others.
    const sessionId = readSessionId(params);
    const cancelled = [...this.#held].filter((held) => held.sessionId === sessionId);
    const outcome = decide((message) => {
      for (const held of cancelled) held.cancelAgain = () => forward(message);
      return forward(message);
    });
    if (!isThenable(outcome)) return outcome;
    const done = Promise.allSettled([outcome, this.#cancels.get(sessionId)]).then(() => {
      if (this.#cancels.get(sessionId) === done) this.#cancels.delete(sessionId);
    });
    this.#cancels.set(sessionId, done);
    return outcome;
  }

  async #watchPrompt(
    { params }: ProxyMessage,
    forward: Forward,
    decide: (forward: Forward) => unknown,
  ): Promise<unknown> {
    const held: HeldPrompt = { sessionId: readSessionId(params), cancelAgain: undefined };
    this.#held.add(held);
    try {
      const cancel = this.#cancels.get(held.sessionId);
      if (cancel !== undefined) await cancel;
      return await decide((message) => {
        const answer = forward(message);
        if (message.method === "session/prompt") {
          this.#held.delete(held);
          held.cancelAgain?.();
        }
        return answer;
      });
    } finally {
      this.#held.delete(held);
    }
  }
}
