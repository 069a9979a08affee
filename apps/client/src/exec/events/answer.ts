/** Collects the answer of a turn: the agent's messages. */
export class Answer {
  readonly #messages: string[] = [];
  #messageId: string | undefined;
  #isOpen = false;
  /** How many messages there were at the last tool call. */
  #atLastCall = 0;

  /** Adds a part of a message, or all of it. Returns whether another message begins. */
  add(text: string, messageId: string | undefined, replaces: boolean): boolean {
    const begins = !this.#isOpen || messageId !== this.#messageId;
    this.#messageId = messageId;
    this.#isOpen = true;
    if (begins) this.#messages.push(text);
    else this.#messages.push((replaces ? (this.#messages.pop(), "") : (this.#messages.pop() ?? "")) + text);
    return begins;
  }

  /** Something else happened: what follows is another message. */
  interrupt(isCall: boolean): void {
    this.#isOpen = false;
    if (isCall) this.#atLastCall = this.#messages.length;
  }

  get text(): string {
    return join(this.#messages);
  }

  /** What came after the last tool call; without that, the last message. */
  get last(): string {
    const after = join(this.#messages.slice(this.#atLastCall));
    return after === "" ? (this.#messages.findLast((text) => text.trim() !== "")?.trim() ?? "") : after;
  }
}

function join(messages: readonly string[]): string {
  return messages
    .map((text) => text.trim())
    .filter((text) => text !== "")
    .join("\n\n");
}
