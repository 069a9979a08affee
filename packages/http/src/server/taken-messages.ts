/** How many messages a connection remembers: more than its client has in flight. */
const mostRemembered = 1024;

/** The last messages that came with a number. */
export class TakenMessages {
  readonly #receiving = new Map<string, Promise<void>>();

  has(number: string | null): boolean {
    return number !== null && this.#receiving.has(number);
  }

  /** Takes a message, unless one with this number has come before. Resolves when the agent has it. */
  once(number: string | null, receive: () => Promise<void>): Promise<void> {
    if (number === null) return receive();
    const before = this.#receiving.get(number);
    if (before !== undefined) return before;
    const receiving = receive();
    this.#receiving.set(number, receiving);
    const [oldest] = this.#receiving.keys();
    if (this.#receiving.size > mostRemembered && oldest !== undefined) this.#receiving.delete(oldest);
    return receiving;
  }
}
