import type { Journal } from "../../src/journal/journal.ts";

const names = [
  "create",
  "claim",
  "renew",
  "release",
  "append",
  "read",
  "watch",
  "send",
  "commands",
  "settle",
  "compact",
  "list",
  "describe",
  "change",
  "remove",
  "close",
] as const satisfies readonly (keyof Journal)[];

/** A journal some of whose methods do something else. */
export function changed(journal: Journal, change: Partial<Journal>): Journal {
  const methods: Partial<Journal> = {};
  for (const name of names) Object.assign(methods, { [name]: journal[name].bind(journal) });
  return { ...(methods as Journal), ...change };
}
