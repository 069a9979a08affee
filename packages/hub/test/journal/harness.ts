import { test } from "vitest";

import type { Journal, SessionDescription } from "../../src/journal/journal.ts";

/** A store that is made for a test. */
export interface TestedStore {
  /** A journal on it; each call another one, as another process has it. */
  open(): Promise<Journal>;
  /** Lets a lease of 500 ms end. Left out where leases last as long as their process. */
  leaseEnds?: () => Promise<void>;
  /** Closes all journals, and removes the store. */
  dispose(): Promise<void>;
}

/** A test that gets a journal on a store of its own. */
export type TestWith = (title: string, run: (journal: Journal, store: TestedStore) => Promise<void>) => void;

export const described: SessionDescription = { agent: "codex", cwd: "/home/me/work", owner: "me" };

export function testWithStore(makeStore: () => Promise<TestedStore>): TestWith {
  return (title, run) =>
    test(title, async () => {
      const store = await makeStore();
      try {
        await run(await store.open(), store);
      } finally {
        await store.dispose();
      }
    });
}
