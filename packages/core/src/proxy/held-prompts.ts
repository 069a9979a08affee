import { sessionIdOf } from "../connection/session-id.ts";
import type { Forward, ProxyMessage } from "./relay-end.ts";

interface HeldPrompt {
  readonly sessionId: string | undefined;
  /** Passes the cancellation that has come meanwhile on once more. */
  cancelAgain: (() => unknown) | undefined;
}

/**
 * Prompts that an intercept has not passed on yet. `session/cancel` does not wait for it; but sent before its prompt
 * it would cancel nothing, so it is sent once more behind it.
 */
export class HeldPrompts {
  readonly #held = new Set<HeldPrompt>();

  /** Lets `decide` handle a message that has come from the client. */
  watch(message: ProxyMessage, forward: Forward, decide: (forward: Forward) => unknown): unknown {
    if (message.method === "session/cancel") return decide((passed) => this.#passCancel(message, passed, forward));
    return message.method === "session/prompt" ? this.#watchPrompt(message, forward, decide) : decide(forward);
  }

  async #watchPrompt(message: ProxyMessage, forward: Forward, decide: (forward: Forward) => unknown): Promise<unknown> {
    const held: HeldPrompt = { sessionId: sessionIdOf(message.params), cancelAgain: undefined };
    this.#held.add(held);
    try {
      return await decide((passed) => this.#passPrompt(held, passed, forward));
    } finally {
      this.#held.delete(held);
    }
  }

  #passCancel({ params }: ProxyMessage, passed: Parameters<Forward>[0], forward: Forward): Promise<unknown> {
    // As it came, like that of the prompt: the intercept may give the agent another one.
    const sessionId = sessionIdOf(params);
    for (const held of this.#held) if (held.sessionId === sessionId) held.cancelAgain = () => forward(passed);
    return forward(passed);
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
