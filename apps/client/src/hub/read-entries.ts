import { decodeEntry, type Entry, type Journal } from "@acp/hub";

/** How many characters are read at a time. */
const pageUnits = 1024 * 1024;

/** An entry as the journal has it, and what it says; `undefined` for one of a kind that a later version has added. */
export interface ReadEntry {
  readonly text: string;
  readonly entry: Entry | undefined;
}

/** The entries of a session in order, and with `follow` also those to come, each once. Ends when the session is removed. */
export async function* readEntries(
  journal: Journal,
  session: string,
  follow?: { readonly signal: AbortSignal },
): AsyncGenerator<ReadEntry> {
  let after: Parameters<Journal["read"]>[1] = "start";
  let last = 0;
  const news = new News(journal, session);
  try {
    for (;;) {
      const page = await journal.read(session, after, pageUnits);
      if (page === undefined) return;
      // What was read was compacted meanwhile.
      if (page === "gone") {
        after = "start";
        continue;
      }
      for (const text of page.entries) {
        const entry = decodeEntry(text);
        if (entry !== undefined && entry.n <= last) continue;
        last = entry?.n ?? last;
        yield { text, entry };
      }
      after = page.cursor ?? after;
      if (page.more) continue;
      if (follow === undefined || follow.signal.aborted) return;
      await news.next(follow.signal);
      if (follow.signal.aborted) return;
    }
  } finally {
    news.close();
  }
}

/** How often to look for news that nobody told of, in milliseconds. */
const lookTime = 2000;

/** Tells when a session may have grown. */
class News {
  #wake = (): void => {};
  #isNew = false;
  readonly close: () => void;

  constructor(journal: Journal, session: string) {
    this.close = journal.watch((sessions) => {
      if (!sessions.includes(session)) return;
      this.#isNew = true;
      this.#wake();
    });
  }

  async next(signal: AbortSignal): Promise<void> {
    if (!this.#isNew) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, lookTime);
        this.#wake = () => {
          clearTimeout(timer);
          resolve();
        };
        signal.addEventListener("abort", this.#wake, { once: true });
      });
    }
    this.#isNew = false;
  }
}
