import type { Received } from "@acp/schema/v1";

import { ownNames } from "./own-commands.ts";
import { printableLine } from "./transcript/printable.ts";

/** How long the first list is waited for, in milliseconds; many agents have none. */
const patience = 300;

/** The slash commands the agent offers now (CMD-04). */
export class CommandList {
  #commands: readonly Received.AvailableCommand[] = [];
  #arrived: () => void = () => {};
  readonly #first: Promise<void> = new Promise((resolve) => {
    this.#arrived = resolve;
  });

  replace(commands: readonly Received.AvailableCommand[]): void {
    this.#commands = commands;
    this.#arrived();
  }

  /** Waits a moment for the first list: it comes after the answer that opens the session. */
  async settled(): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const limit = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, patience);
    });
    await Promise.race([this.#first, limit]);
    clearTimeout(timer);
  }

  /** One line for the user; empty if there are no commands. */
  describe(): string {
    return this.#commands.map(({ name }) => `/${printableLine(name)}`).join("  ");
  }

  /** Whether a prompt is one of these commands. */
  has(prompt: string): boolean {
    const [word] = prompt.trim().split(/\s/u, 1);
    return this.#commands.some(({ name }) => `/${name}` === word);
  }

  /** What a line that begins with a slash may become; `/quit` is our own. */
  complete(line: string): string[] {
    if (!line.startsWith("/")) return [];
    const names = [...this.#commands.map(({ name, input }) => `/${name}${input ? " " : ""}`), "/quit", ...ownNames];
    return names.filter((name) => name.startsWith(line));
  }
}
