/** How much of the limits an event takes, in UTF-16 code units: its text, and something for its memory. */
export function costOf(text: string): number {
  return text.length + 256;
}

/**
 * The events of one stream, in order: those that were sent and are kept until the client acknowledges them, then those that are
 * to be sent. Each has a number; the first one has 1.
 */
export class EventQueue {
  #events: string[] = [];
  /** The index of the oldest event that is kept. */
  #first = 0;
  /** The index of the next event to send. */
  #next = 0;
  /** The index of the first event that was never sent. */
  #unsent = 0;
  /** The number of the event before the oldest one. */
  #acknowledged = 0;
  #journal = 0;

  /** The size of the sent events that are kept, in units of {@link costOf}. */
  get journal(): number {
    return this.#journal;
  }

  /** True if no event is kept or queued. */
  get isEmpty(): boolean {
    return this.#first === this.#events.length;
  }

  /** The number of the last event that was sent. */
  get last(): number {
    return this.#acknowledged + this.#unsent - this.#first;
  }

  /** The next event to send; `undefined` if there is none. */
  get next(): string | undefined {
    return this.#events[this.#next];
  }

  /** Whether the next event was sent before, and is in the journal. */
  get isRepeating(): boolean {
    return this.#next < this.#unsent;
  }

  push(text: string): void {
    this.#events.push(text);
  }

  /** Moves on to the event after the next one, which is kept. Returns its number. */
  advance(): number {
    if (!this.isRepeating) {
      this.#journal += costOf(this.next ?? "");
      this.#unsent++;
    }
    this.#next++;
    return this.#acknowledged + this.#next - this.#first;
  }

  /** Drops sent events up to this one. Returns how much that was. */
  acknowledge(event: number): number {
    const before = this.#journal;
    while (this.#first < this.#unsent && this.#acknowledged < event) this.#drop();
    this.#next = Math.max(this.#next, this.#first);
    this.#compact();
    return before - this.#journal;
  }

  /** The state of the events after this one: kept, already dropped, or the event itself is still to come. */
  follows(event: number): "kept" | "dropped" | "to come" {
    if (event < this.#acknowledged) return "dropped";
    return event <= this.last ? "kept" : "to come";
  }

  /** Sends everything again that is kept. The oldest event gets the number after `acknowledged`, if that is given. */
  rewind(acknowledged: number = this.#acknowledged): void {
    this.#acknowledged = acknowledged;
    this.#next = this.#first;
  }

  /** Drops queued and sent events. Returns how much was never sent. */
  clear(): number {
    let unsent = 0;
    for (const text of this.#events.slice(this.#unsent)) unsent += costOf(text);
    this.#events = [];
    this.#first = this.#next = this.#unsent = 0;
    this.#journal = 0;
    return unsent;
  }

  #drop(): void {
    this.#journal -= costOf(this.#events[this.#first] ?? "");
    // Release the text before the array shrinks.
    this.#events[this.#first] = "";
    this.#first++;
    this.#acknowledged++;
  }

  /** Shortens the array only now and then, so that the work stays linear. */
  #compact(): void {
    const gone = this.#first;
    if (gone * 2 < this.#events.length) return;
    this.#events.splice(0, gone);
    this.#first = 0;
    this.#next -= gone;
    this.#unsent -= gone;
  }
}
