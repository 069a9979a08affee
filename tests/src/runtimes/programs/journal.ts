/**
 * `journal.js --folder <folder>`: writes numbered entries to the session `one` until it is killed, and tells each one that is
 * safe. It begins behind those that are there.
 */
import { createFileStore } from "@acp/sessions";

import { argument } from "../command-line.ts";
import { process } from "../platform.ts";

const store = createFileStore<number>(argument("folder"));
const session = (await store.open("one")) ?? (await store.create({ sessionId: "one", cwd: "/project" }));
let number = 0;
for await (const entry of session.entries()) number = entry;
for (;;) {
  number += 1;
  await session.append(number);
  process.stdout.write(`${number}\n`);
}
