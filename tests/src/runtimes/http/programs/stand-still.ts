/**
 * A client that stands still while the server closes what it has used, and then sends on, without having heard of that. It
 * prints what the turns end with.
 */
import process from "node:process";

import { createClient } from "@acp/core";
import { createHttpTransport } from "@acp/http";

const client = createClient({ info: { name: "client", version: "1.0.0" } });
const agent = await client.connect(createHttpTransport(`http://127.0.0.1:${process.argv[2]}/acp`));
const session = await agent.newSession({ cwd: "/" });
const stopReasons: string[] = [];
const still = new Int32Array(new SharedArrayBuffer(4));
for (let turn = 0; turn < 3; turn++) {
  // The runtime hears of the last answer, and keeps its connection for the next request.
  await new Promise((resolve) => setTimeout(resolve, 20));
  Atomics.wait(still, 0, 0, 500);
  stopReasons.push((await session.prompt("Hello").response).stopReason);
}
await agent.close();
console.log(JSON.stringify(stopReasons));
