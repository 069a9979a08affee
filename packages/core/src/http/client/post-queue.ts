/**
 * What is posted in order arrives in order: requests over HTTP overtake each other, so each waits for the answer of the one
 * before. That holds within a session, and for what belongs to none; a session that is slow does not hold up the others.
 */
export class PostQueue {
  /** The end of each queue that has something in it. */
  readonly #ends = new Map<string | undefined, Promise<void>>();

  /** Runs `post` behind everything of that session. It must not reject. */
  add(sessionId: string | undefined, post: () => Promise<void>): void {
    const end = (this.#ends.get(sessionId) ?? Promise.resolve()).then(post).then(() => {
      if (this.#ends.get(sessionId) === end) this.#ends.delete(sessionId);
    });
    this.#ends.set(sessionId, end);
  }

  /** Resolves when everything is through that was added until now. */
  async settled(): Promise<void> {
    await Promise.all(this.#ends.values());
  }
}
