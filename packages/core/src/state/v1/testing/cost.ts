// What an event costs is counted, not timed: whatever the reducer copies ends up in the state it returns, so what the
// states hold together, each object once, is all the copying that was done, and all the memory that they take.

/** How many members and items there are in all objects that can be reached, each object counted once. */
export function sizeOf(roots: Iterable<unknown>, known: Set<object>): number {
  let size = 0;
  const waiting: unknown[] = [...roots];
  while (waiting.length > 0) {
    const value = waiting.pop();
    if (typeof value !== "object" || value === null || known.has(value)) continue;
    known.add(value);
    const members = Object.values(value);
    size += 1 + members.length;
    for (const member of members) waiting.push(member);
  }
  return size;
}

/** What all states on the way hold that was not in the events. */
export function costOf<Event, State>(
  eventAt: (index: number) => Event,
  count: number,
  initial: State,
  reduce: (state: State, event: Event) => State,
): number {
  const events = Array.from({ length: count }, (_, index) => eventAt(index));
  const known = new Set<object>();
  sizeOf(events, known);
  let state = initial;
  sizeOf([state], known);
  let size = 0;
  for (const event of events) {
    state = reduce(state, event);
    size += sizeOf([state], known);
  }
  return size;
}
