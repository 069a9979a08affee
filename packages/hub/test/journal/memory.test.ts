import { createMemoryJournal } from "../../src/journal/memory-journal.ts";
import { describeJournal } from "./contract.ts";

describeJournal("memory", async () => {
  let now = Date.UTC(2026, 0, 1);
  const journal = createMemoryJournal({ now: () => now });
  return {
    open: async () => journal,
    leaseEnds: async () => {
      now += 501;
    },
    dispose: () => journal.close(),
  };
});
