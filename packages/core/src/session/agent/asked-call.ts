/** A session that counts its sent updates. */
export interface CountingSession {
  readonly sentUpdates: number;
}

/** The members of a tool call that a question repeats: some clients show only the question. */
const repeated = new Set(["title", "kind", "locations", "rawInput", "content"]);

/** Merges a change into the members of a tool call that the client has seen, as far as a question repeats them. */
export function joinShown<Shown extends object>(before: Shown, change: object): Shown {
  const shown = { ...before };
  for (const [name, value] of Object.entries(change)) {
    if (value != null && repeated.has(name)) Object.assign(shown, { [name]: value });
    if (value === null && name !== "title") Reflect.deleteProperty(shown, name);
  }
  return shown;
}

/** Sends a change of a tool call. Returns the members the client has now seen, and the sender's promise: a refused change is not merged. */
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
