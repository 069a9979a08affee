/** How many ids are remembered. */
const maxCount = 1000;
/** Longer ids are not remembered, in characters. */
const maxLength = 1000;

/**
 * The ids of the sessions that this client has closed, or could not open. Late messages for them must not open a session
 * of the agent's own.
 */
export class EndedSessions {
  /** The oldest first. */
  readonly #ids = new Set<string>();

  has(id: string): boolean {
    return this.#ids.has(id);
  }

  add(id: string): void {
    if (id.length > maxLength) return;
    this.#ids.delete(id);
    this.#ids.add(id);
    if (this.#ids.size <= maxCount) return;
    const [oldest] = this.#ids;
    if (oldest !== undefined) this.#ids.delete(oldest);
  }

  /** It is open again. */
  delete(id: string): void {
    this.#ids.delete(id);
  }
}
