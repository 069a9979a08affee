import type { OpenAsk } from "../journal/session-facts.ts";
import type { Feed } from "./feed.ts";

/** A client that is attached to a session. */
export interface Answering {
  /** The connection that it is at the end of. */
  readonly connection: string;
  /** Whether its user can answer a question: may, and has a program that can ask it. */
  canAnswer(question: OpenAsk): Promise<boolean>;
  /** Answers a request of the agent's extension. Rejects as if there were no such method if it cannot. */
  request(method: string, params: unknown, signal: AbortSignal): Promise<unknown>;
}

/** Watches the questions of one session: one that nobody who is attached can answer needs attention. */
export class Attention {
  readonly #feed: Feed;
  readonly #attached: () => Iterable<Answering>;
  readonly #notify: (question: OpenAsk) => void;
  readonly #stop: () => void;
  /** The questions that need attention already. */
  readonly #told = new Set<string>();
  #isChecking = false;
  #checkAgain = false;

  constructor(feed: Feed, attached: () => Iterable<Answering>, notify: (question: OpenAsk) => void) {
    this.#feed = feed;
    this.#attached = attached;
    this.#notify = notify;
    this.#stop = feed.onChange(() => this.check());
    this.check();
  }

  end(): void {
    this.#stop();
  }

  /** Something has changed: a client has come or gone, or can answer no longer. */
  check(): void {
    this.#checkAgain = true;
    if (!this.#isChecking) void this.#checkAll();
  }

  async #checkAll(): Promise<void> {
    this.#isChecking = true;
    while (this.#checkAgain) {
      this.#checkAgain = false;
      const { asks } = this.#feed.facts;
      for (const id of this.#told) if (!asks.has(id)) this.#told.delete(id);
      for (const question of asks.values()) await this.#check(question);
    }
    this.#isChecking = false;
  }

  async #check(question: OpenAsk): Promise<void> {
    const { id } = question;
    if (await canAnyAnswer(this.#attached(), question)) {
      this.#told.delete(id);
    } else if (this.#feed.facts.asks.has(id) && !this.#told.has(id)) {
      this.#told.add(id);
      this.#notify(question);
    }
  }
}

/** Whether one of them can answer. If that cannot be found out, nobody can. */
export async function canAnyAnswer(clients: Iterable<Answering>, question: OpenAsk): Promise<boolean> {
  for (const client of clients) if (await client.canAnswer(question).catch(() => false)) return true;
  return false;
}
