import type { NamedSession } from "./named-session.ts";
import { MarkdownLog } from "./markdown-log.ts";
import { readEvents, type SessionStore } from "./session-store.ts";

/** How much of it is kept: its end, in characters. */
const historyLength = 200_000;

/** What the journal of a session says of it, as Markdown; empty if there is none. Of a long one, the end. */
export async function historyOf(store: SessionStore, session: NamedSession): Promise<string> {
  const log = new MarkdownLog(session, false);
  let text = "";
  for await (const event of readEvents(store.eventsOf(session))) {
    text += log.add(event);
    if (text.length > 2 * historyLength) text = text.slice(-historyLength);
  }
  return text.length > historyLength ? `…${text.slice(-historyLength)}` : text.trim();
}
