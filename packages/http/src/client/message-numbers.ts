/** Numbers the messages that are posted, so that each can be sent again until it is answered. */
export class MessageNumbers {
  #last = 0;
  /** Those without an answer, in order. */
  readonly #unanswered = new Set<number>();

  /** The number of the next message. */
  next(): number {
    this.#unanswered.add(++this.#last);
    return this.#last;
  }

  /** The header's value: the number, and the lowest number without an answer if that differs. */
  header(number: number): string {
    const [lowest = number] = this.#unanswered;
    return lowest === number ? String(number) : `${number} ${lowest}`;
  }

  answered(number: number): void {
    this.#unanswered.delete(number);
  }
}
