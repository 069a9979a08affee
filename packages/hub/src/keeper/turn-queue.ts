import type { Command } from "../journal/entry.ts";

/** A prompt that waits for its turn. */
export interface WaitingPrompt {
  /** The place of its command. */
  readonly at: number;
  readonly key: string;
  readonly command: Extract<Command, { type: "prompt" }>;
}

/** Prompts in the order in which they came, of which the agent gets one at a time. */
export class TurnQueue {
  readonly #waiting: WaitingPrompt[] = [];

  get size(): number {
    return this.#waiting.length;
  }

  has(key: string): boolean {
    return this.#waiting.some((prompt) => prompt.key === key);
  }

  add(prompt: WaitingPrompt): void {
    this.#waiting.push(prompt);
  }

  next(): WaitingPrompt | undefined {
    return this.#waiting.shift();
  }

  /** Takes out the prompts of a client that have these keys, all of a client, or all. */
  drop(client?: string, keys?: readonly string[]): readonly WaitingPrompt[] {
    const dropped = this.#waiting.filter(
      ({ key, command }) =>
        (client === undefined || command.client === client) && (keys === undefined || keys.includes(key)),
    );
    for (const prompt of dropped) this.#waiting.splice(this.#waiting.indexOf(prompt), 1);
    return dropped;
  }
}
