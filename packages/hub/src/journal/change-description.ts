import type { SessionDescription } from "./journal.ts";

/** A description with the members that are given: each of `more` by itself, of which `null` removes one. */
export function changeDescription(before: SessionDescription, change: Partial<SessionDescription>): SessionDescription {
  if (change.more === undefined) return { ...before, ...change };
  const facts = Object.entries({ ...before.more, ...change.more }).filter(([, fact]) => fact !== null);
  return { ...before, ...change, more: Object.fromEntries(facts) };
}
