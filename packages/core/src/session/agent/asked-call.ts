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
