import type { Turn } from "@acp/core/v2";

/** The messages that this client's prompts have become: agents tell these, too, before or after they accept a prompt. */
export class OwnMessages {
  readonly #ids = new Set<string>();
  /** A prompt was sent, and nobody knows yet which message it has become. */
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

  /** Whether this is one of them. While one is expected, that is the first that comes. */
  has(messageId: string | null | undefined): boolean {
    if (messageId == null) return false;
    if (this.#isExpected && !this.#ids.has(messageId)) {
      this.#isExpected = false;
      this.#ids.add(messageId);
    }
    return this.#ids.has(messageId);
  }
}
