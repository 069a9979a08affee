import type { Cursor } from "../journal/cursor.ts";
import type { Entry, ProtocolVersion } from "../journal/entry.ts";
import type { OpenAsk, SessionFacts } from "../journal/session-facts.ts";
import type { Feed, Lost } from "./feed.ts";

/** The client of an attachment. */
export interface AttachedClient {
  readonly version: ProtocolVersion;
  /** Shows an entry. The promise is pending while the client is slow. */
  show(entry: Entry): Promise<void>;
  /** Asks a question. `signal` aborts when somebody else has answered it, or it is withdrawn. */
  ask(question: OpenAsk, signal: AbortSignal): Promise<void>;
  /** It was shown the history: what comes now is new. */
  follow(facts: SessionFacts): void;
  /** It gets no more entries. */
  lost(reason: Lost): void;
}

/** One client on one session: what it was shown, what comes next, and the questions that it was asked. */
export class Attachment {
  readonly #feed: Feed;
  readonly #client: AttachedClient;
  readonly #signal: AbortSignal;
  readonly #asked = new Map<string, AbortController>();
  /** Behind the last entry that was shown. */
  #cursor: Cursor | undefined;
  #mayAsk = false;
  /** The last entry of the history. */
  #past = 0;
  #lost: Lost | undefined;

  /** @param after Where to begin: everything up to there, the client has or does not want. */
  constructor(feed: Feed, client: AttachedClient, after: Cursor | undefined, signal: AbortSignal) {
    this.#feed = feed;
    this.#client = client;
    this.#cursor = after;
    this.#signal = signal;
    signal.addEventListener("abort", () => this.#withdrawAll(), { once: true });
  }

  /** Behind the last entry that the client has got, or does not want. */
  get cursor(): Cursor | undefined {
    return this.#cursor;
  }

  /** Why the client gets no more entries. */
  get lost(): Lost | undefined {
    return this.#lost;
  }

  /** Shows everything that is there. Resolves at the end of the session so far. */
  async replay(): Promise<void> {
    // A client that comes from another front may have seen more than this one: questions that are over are not asked again.
    if ((this.#cursor?.n ?? 0) > (this.#feed.facts.cursor?.n ?? 0)) await this.#feed.read();
    const end = this.#feed.facts.cursor?.n ?? 0;
    this.#past = end;
    while ((this.#cursor?.n ?? 0) < end && !this.#signal.aborted) {
      const entries = await this.#next();
      if (entries === undefined || entries.length === 0) return;
      await this.#showAll(entries);
    }
  }

  /** Asks the questions that are open, and shows everything that comes until the client is gone. */
  async follow(): Promise<void> {
    this.#mayAsk = true;
    let wake = (): void => {};
    const stop = this.#feed.onChange(() => wake());
    const abort = (): void => wake();
    this.#signal.addEventListener("abort", abort);
    try {
      this.#client.follow(this.#feed.facts);
      if (this.#feed.lost === undefined) this.#askOpen();
      while (!this.#signal.aborted) {
        const changed = new Promise<void>((resolve) => {
          wake = resolve;
        });
        const entries = await this.#next().catch(() => "unreadable" as const);
        if (entries === undefined) return;
        if (entries === "unreadable") await this.#feed.rest(this.#signal);
        else if (entries.length > 0) await this.#showAll(entries);
        else await changed;
      }
    } finally {
      stop();
      this.#signal.removeEventListener("abort", abort);
      this.#withdrawAll();
    }
  }

  /** The next entries; `undefined` if there never will be any. */
  async #next(): Promise<readonly Entry[] | undefined> {
    const entries = await this.#feed.after(this.#cursor);
    if (typeof entries !== "string") return entries;
    this.#lost = entries;
    this.#client.lost(entries);
    return undefined;
  }

  async #showAll(entries: readonly Entry[]): Promise<void> {
    for (const entry of entries) {
      if (this.#signal.aborted) return;
      this.#cursor = { epoch: entry.epoch, n: entry.n };
      if (entry.t === "ask") this.#ask(entry);
      else if (entry.t === "answered") this.#withdraw(entry.id);
      // A notification is for who is there when it comes.
      else if (entry.t !== "notify" || entry.n > this.#past) await this.#show(entry);
    }
  }

  /** Shows an entry. What a client cannot show, it does without: it gets the others. */
  async #show(entry: Entry): Promise<void> {
    try {
      await this.#client.show(entry);
    } catch {
      // Such as an update that breaks the rules of the client's version.
    }
  }

  /** The questions that were asked before. */
  #askOpen(): void {
    for (const question of this.#feed.facts.asks.values()) {
      if (question.n <= (this.#cursor?.n ?? 0)) this.#ask(question);
    }
  }

  #ask(question: OpenAsk): void {
    // One that is answered already is answered further on.
    if (!this.#mayAsk || this.#asked.has(question.id) || !this.#feed.facts.asks.has(question.id)) return;
    const asked = new AbortController();
    this.#asked.set(question.id, asked);
    void this.#client.ask(question, asked.signal).catch(() => {
      // The client cannot answer: others may.
    });
  }

  #withdraw(id: string): void {
    this.#asked.get(id)?.abort(new Error("The question is answered, or was withdrawn"));
    this.#asked.delete(id);
  }

  #withdrawAll(): void {
    for (const id of this.#asked.keys()) this.#withdraw(id);
  }
}
