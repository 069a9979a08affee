/** What counts the updates of a session that were sent. */
export interface CountingSession {
  readonly sentUpdates: number;
}

/** What a question repeats of its tool call: some clients show nothing of a call but what its question has. */
const repeated = new Set(["kind", "locations", "rawInput", "content"]);

/** Joins what the client has seen of a tool call with a change of it, as far as a question repeats it. */
export function joinShown<Shown extends object>(before: Shown, change: object): Shown {
  const shown = new Map<string, unknown>(Object.entries(before));
  for (const [name, value] of Object.entries(change)) {
    if (name === "title" ? value != null : repeated.has(name) && value !== undefined) shown.set(name, value);
    if (value === null && name !== "title") shown.delete(name);
  }
  // Only members of both were joined.
  return Object.fromEntries(shown) as Shown;
}

/** Sends a change of a tool call. Returns what the client has seen now, and the promise of the sender: a refused change is not joined. */
export function sendShown<Shown extends object>(
  before: Shown,
  change: object,
  session: CountingSession,
  send: () => Promise<void>,
): readonly [shown: Shown, sent: Promise<void>] {
  const count = session.sentUpdates;
  const sent = send();
  return [session.sentUpdates === count ? before : joinShown(before, change), sent];
}
