/** How many messages a connection remembers: more than its client has in flight. */
const mostRemembered = 4096;

/** The messages that came with a number, and that their client may send again. */
export class TakenMessages {
  readonly #receiving = new Map<number, Promise<void>>();
  /** The client has the answers to all messages before this one: a lower number marks a late copy. */
  #lowest = 0;

  has(header: string | null): boolean {
    const { number } = parse(header);
    return number !== undefined && (number < this.#lowest || this.#receiving.has(number));
  }

  /** Takes a message, unless one with this number has come before. Resolves when the agent has it. */
  async once(header: string | null, receive: () => Promise<void>): Promise<void> {
    const { number, lowest } = parse(header);
    if (number === undefined) return receive();
    if (number < this.#lowest) return undefined;
    if (lowest > this.#lowest) this.#forgetBefore(lowest);
    const before = this.#receiving.get(number);
    if (before !== undefined) return before;
    const receiving = receive();
    this.#receiving.set(number, receiving);
    const [oldest] = this.#receiving.keys();
    if (this.#receiving.size > mostRemembered && oldest !== undefined) this.#receiving.delete(oldest);
    return receiving;
  }

  #forgetBefore(lowest: number): void {
    this.#lowest = lowest;
    // In the order in which they came, which is nearly that of the numbers.
    for (const number of this.#receiving.keys()) if (number < lowest) this.#receiving.delete(number);
  }
}

/** Reads a number, and the lowest that has no answer yet. */
function parse(header: string | null): { readonly number: number | undefined; readonly lowest: number } {
  const [, number, lowest] = /^(\d{1,15})(?: (\d{1,15}))?$/.exec(header ?? "") ?? [];
  if (number === undefined) return { number: undefined, lowest: 0 };
  return { number: Number(number), lowest: Number(lowest ?? number) };
}
