import type { Turn } from "@acp/core/v2";

/** The messages of this client's own prompts. Agents echo them before or after they accept a prompt. */
export class OwnMessages {
  readonly #ids = new Set<string>();
  /** A prompt was sent, and its message id is not known yet. */
  #isExpected = false;

  /** A prompt was sent. */
  expect({ accepted, finished }: Turn): void {
    this.#isExpected = true;
    const settle = (): void => {
      this.#isExpected = false;
    };
    accepted.then(({ messageId }) => {
      this.#ids.add(messageId);
      settle();
    }, settle);
    finished.then(settle, settle);
  }

  /** Whether a message is one of them. While a prompt has no message id, the first message counts as its echo. */
  has(messageId: string | null | undefined): boolean {
    if (messageId == null) return false;
    if (this.#isExpected && !this.#ids.has(messageId)) {
      this.#isExpected = false;
      this.#ids.add(messageId);
    }
    return this.#ids.has(messageId);
  }
}
