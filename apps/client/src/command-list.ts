import type { Session } from "./agent.ts";
import type { Command } from "./shown.ts";
import { printableLine } from "./transcript/printable.ts";

/** Commands of the client's own. An agent's command of the same name goes first. */
export const ownNames = [
  "/help",
  "/sessions",
  "/new",
  "/load",
  "/resume",
  "/delete",
  "/close",
  "/logout",
  "/login",
] as const;
export type OwnName = (typeof ownNames)[number];

/** How long the first list is waited for, in milliseconds; many agents have none. */
const firstListTimeout = 300;

/** The slash commands the agent offers now in the session that is shown (CMD-04). */
export class CommandList {
  #session: Session | undefined;
  #markReceived: () => void = () => {};
  readonly #first: Promise<void> = new Promise((resolve) => {
    this.#markReceived = resolve;
  });

  /** A list has come. */
  listReceived(): void {
    this.#markReceived();
  }

  /** The user is in this session from now on. Agents of version 2 may tell their commands as they open it. */
  follow(session: Session): void {
    this.#session = session;
    if (this.#commands.length > 0) this.#markReceived();
  }

  get #commands(): readonly Command[] {
    return this.#session?.shown.commands ?? [];
  }

  /** The commands of the client's own that the agent has none of the same name for. */
  get #own(): readonly string[] {
    return ownNames.filter((name) => !this.has(name));
  }

  /** Waits a moment for the first list: it comes after the answer that opens the session. */
  async waitForFirstList(): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const limit = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, firstListTimeout);
    });
    await Promise.race([this.#first, limit]);
    clearTimeout(timer);
  }

  /** One line for the user. The client's own are in it if the agent has a command of the name that would list them. */
  describe(): string {
    const offered = this.#commands.map(({ name }) => `/${printableLine(name)}`);
    return [...offered, ...(this.has("/help") ? this.#own : ["/help"]), "/quit"].join("  ");
  }

  /** Whether a prompt is one of these commands. */
  has(prompt: string): boolean {
    const [word] = prompt.trim().split(/\s/u, 1);
    return this.#commands.some(({ name }) => `/${name}` === word);
  }

  /** What a line that begins with a slash may become. */
  complete(line: string): string[] {
    if (!line.startsWith("/")) return [];
    // What is completed is written to the terminal as it is, and what spans lines would be sent at once.
    const harmless = this.#commands.filter(({ name }) => name === printableLine(name));
    const names = [
      ...harmless.map(({ name, takesInput }) => `/${name}${takesInput ? " " : ""}`),
      ...this.#own,
      "/quit",
    ];
    return names.filter((name) => name.startsWith(line));
  }
}
