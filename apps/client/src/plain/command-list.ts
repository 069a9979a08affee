import type { Session } from "../protocol/agent.ts";
import type { Command } from "../protocol/shown.ts";
import { printableLine } from "../text/printable.ts";

/** The client's own commands. An agent's command of the same name wins. */
export const ownNames = [
  "/help",
  "/sessions",
  "/new",
  "/load",
  "/resume",
  "/recall",
  "/delete",
  "/close",
  "/logout",
  "/login",
  "/attach-output",
] as const;
export type OwnName = (typeof ownNames)[number];

/** Whether a line quits, whatever commands the agent has: nobody would expect it to be sent. */
export function isQuit(line: string): boolean {
  return line.trim() === "/quit" || line.trim() === "/exit";
}

/** How long to wait for the first list, in milliseconds: many agents send none. */
const firstListTimeout = 300;

/** The slash commands that the agent currently offers in the shown session (CMD-04). */
export class CommandList {
  #session: Session | undefined;
  #markReceived: () => void = () => {};
  readonly #first: Promise<void> = new Promise((resolve) => {
    this.#markReceived = resolve;
  });

  listReceived(): void {
    this.#markReceived();
  }

  /** Switches to this session. Agents of version 2 may list their commands when they open it. */
  follow(session: Session): void {
    this.#session = session;
    if (this.#commands.length > 0) this.#markReceived();
  }

  get #commands(): readonly Command[] {
    return this.#session?.shown.commands ?? [];
  }

  /** The client's own commands, except those that the agent has too. */
  get #own(): readonly string[] {
    return ownNames.filter((name) => !this.has(name));
  }

  /** Waits a moment for the first list, which arrives after the answer that opens the session. */
  async waitForFirstList(): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const limit = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, firstListTimeout);
    });
    await Promise.race([this.#first, limit]);
    clearTimeout(timer);
  }

  /** One line for the user. Lists the client's own commands only if the agent has a `/help` of its own. */
  describe(): string {
    const offered = this.#commands.map(({ name }) => `/${printableLine(name)}`);
    return [...offered, ...(this.has("/help") ? this.#own : ["/help"]), "/quit"].join("  ");
  }

  has(prompt: string): boolean {
    const [word] = prompt.trim().split(/\s/u, 1);
    return this.#commands.some(({ name }) => `/${name}` === word);
  }

  /** Completions of a line that begins with a slash. */
  complete(line: string): string[] {
    if (!line.startsWith("/")) return [];
    // The editor writes a completion to the terminal unchanged, and would send one with a line break at once.
    const harmless = this.#commands.filter(({ name }) => name === printableLine(name));
    const names = [
      ...harmless.map(({ name, takesInput }) => `/${name}${takesInput ? " " : ""}`),
      ...this.#own,
      "/quit",
      "/exit",
    ];
    return names.filter((name) => name.startsWith(line));
  }
}
