import { decodeEntry } from "./entry.ts";
import type { Journal } from "./journal.ts";
import { SessionFacts } from "./session-facts.ts";

/** Reading entries, this many UTF-16 code units at a time. */
const pageUnits = 1024 * 1024;

/** What all entries of a session add up to. Calls back with the text of each. */
export async function readFacts(
  journal: Pick<Journal, "read">,
  session: string,
  onText?: (text: string) => void,
): Promise<SessionFacts> {
  let facts = new SessionFacts();
  let after: Parameters<Journal["read"]>[1] = "start";
  for (;;) {
    const page = await journal.read(session, after, pageUnits);
    if (page === undefined) return facts;
    if (page === "gone") {
      // What was read so far is no longer there.
      facts = new SessionFacts();
      after = "start";
      continue;
    }
    for (const text of page.entries) {
      onText?.(text);
      const entry = decodeEntry(text);
      if (entry !== undefined) facts.apply(entry);
    }
    after = page.cursor ?? after;
    if (!page.more) return facts;
  }
}
