// A process that claims a session once it gets a line, and then writes to it until somebody ends it or takes the session over.
import process from "node:process";
import { once } from "node:events";

import { createFileJournal } from "@acp/hub";

const [folder = "", session = "", keeper = "", batch = "1"] = process.argv.slice(2);
const journal = createFileJournal(folder);
await tell("ready");
await once(process.stdin, "data");
const claim = await journal.claim(session, keeper, 1000);
await tell(JSON.stringify(claim));
if (claim !== undefined && !("heldBy" in claim)) {
  for (let from = claim.next; ; from += Number(batch)) {
    const entries = Array.from({ length: Number(batch) }, (_, index) =>
      JSON.stringify({ n: from + index, epoch: claim.epoch, at: 0, t: "notice", text: "x".repeat(30) }),
    );
    const [result] = await journal.append([{ claim, from, entries }]);
    await tell(result === "done" ? String(from + entries.length - 1) : `${result}`);
    if (result !== "done") break;
  }
}
process.stdin.destroy();
await journal.close();

/** Waits while nobody reads. */
function tell(line: string): Promise<void> {
  return new Promise((resolve) => {
    process.stdout.write(`${line}\n`, () => resolve());
  });
}
