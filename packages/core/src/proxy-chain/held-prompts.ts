import { sessionIdOf } from "../connection/session-id.ts";
import type { Forward, ProxyMessage } from "../proxy/relay-end.ts";

interface HeldPrompt {
  readonly sessionId: string | undefined;
  /** The params of the cancellation that has come meanwhile. */
  cancelled: { readonly params: unknown } | undefined;
}

/**
 * Prompts that an intercept has not passed on yet. `session/cancel` does not wait for it; but sent before its prompt
 * it would cancel nothing, so it is sent once more behind it.
 */
export class HeldPrompts {
  readonly #held = new Set<HeldPrompt>();
  readonly #cancel: (params: unknown) => void;

  /** `cancel` sends `session/cancel` to where prompts go. */
  constructor(cancel: (params: unknown) => void) {
    this.#cancel = cancel;
  }

  /** Lets `decide` handle a prompt or a cancellation that has come from the client. */
  async watch(message: ProxyMessage, forward: Forward, decide: (forward: Forward) => unknown): Promise<unknown> {
    if (message.method === "session/cancel") return decide((passed) => this.#passCancel(passed, forward));
    const held: HeldPrompt = { sessionId: sessionIdOf(message.params), cancelled: undefined };
    this.#held.add(held);
    try {
      return await decide((passed) => this.#passPrompt(held, passed, forward));
    } finally {
      this.#held.delete(held);
    }
  }

  #passCancel(passed: Parameters<Forward>[0], forward: Forward): Promise<unknown> {
    const sessionId = sessionIdOf(passed.params);
    for (const held of this.#held) if (held.sessionId === sessionId) held.cancelled = passed;
    return forward(passed);
  }

  #passPrompt(held: HeldPrompt, passed: Parameters<Forward>[0], forward: Forward): Promise<unknown> {
    const answer = forward(passed);
    if (passed.method === "session/prompt") {
      this.#held.delete(held);
      // It is sent by now.
      if (held.cancelled !== undefined) this.#cancel(held.cancelled.params);
    }
    return answer;
  }
}
