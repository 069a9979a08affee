// A process that writes numbered entries to a session until somebody ends it, and tells each one that is safe.
import process from "node:process";

import { createFileStore } from "@acp/sessions";

const [folder = "", sessionId = "", size = "10"] = process.argv.slice(2);
const store = createFileStore<{ readonly number: number; readonly text: string }>(folder);
const session = (await store.open(sessionId)) ?? (await store.create({ sessionId, cwd: "/project" }));
let number = 0;
for await (const entry of session.entries()) ({ number } = entry);
await tell(`open ${number}\n`);
for (;;) {
  number += 1;
  await session.append({ number, text: "x".repeat(Number(size)) });
  await tell(`${number}\n`);
}

/** Waits while nobody reads. */
function tell(line: string): Promise<void> {
  return new Promise((resolve) => {
    process.stdout.write(line, () => resolve());
  });
}
