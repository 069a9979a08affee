import { describeClaims } from "./claims-contract.ts";
import { describeCommands } from "./commands-contract.ts";
import { describeCompaction } from "./compaction-contract.ts";
import { describeEntries } from "./entries-contract.ts";
import { type TestedStore, testWithStore } from "./harness.ts";

/** What every journal does. */
export function describeJournal(name: string, makeStore: () => Promise<TestedStore>): void {
  const testWith = testWithStore(makeStore);
  describeClaims(name, testWith);
  describeEntries(name, testWith);
  describeCompaction(name, testWith);
  describeCommands(name, testWith);
}
