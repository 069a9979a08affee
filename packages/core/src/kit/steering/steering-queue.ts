/** Messages that wait to be taken, each by one reader. Whoever pushes one learns whether somebody has taken it. */
export class SteeringQueue<Message> implements AsyncIterable<Message> {
  #waiting: { readonly message: Message; readonly settle: (isTaken: boolean) => void }[] = [];
  #readers: ((result: IteratorResult<Message, undefined>) => void)[] = [];
  #hasEnded = false;

  /** Resolves with `true` once the message is taken, or with `false` if the queue ends before. */
  push(message: Message): Promise<boolean> {
    if (this.#hasEnded) return Promise.resolve(false);
    const reader = this.#readers.shift();
    if (reader === undefined) return new Promise((settle) => void this.#waiting.push({ message, settle }));
    reader({ done: false, value: message });
    return Promise.resolve(true);
  }

  take(): readonly Message[] {
    const taken = this.#waiting;
    this.#waiting = [];
    return taken.map(({ message, settle }) => {
      settle(true);
      return message;
    });
  }

  /** Ends all loops. */
  end(): void {
    this.#hasEnded = true;
    for (const { settle } of this.#waiting.splice(0)) settle(false);
    for (const reader of this.#readers.splice(0)) reader({ done: true, value: undefined });
  }

  [Symbol.asyncIterator](): AsyncIterator<Message, undefined> {
    return {
      next: () => {
        const first = this.#waiting.shift();
        first?.settle(true);
        if (first !== undefined) return Promise.resolve({ done: false, value: first.message });
        if (this.#hasEnded) return Promise.resolve({ done: true, value: undefined });
        return new Promise((reader) => void this.#readers.push(reader));
      },
    };
  }
}
