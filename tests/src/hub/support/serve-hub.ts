/** A hub in a process of its own. Prints its port, and for each line of its stdin what memory it holds, in MiB. */
import process from "node:process";
import { createInterface } from "node:readline";

import { serveHub } from "./hub-over-http.ts";

const { port, close } = await serveHub();
console.log(port);
for await (const _ of createInterface({ input: process.stdin })) {
  for (let turn = 0; turn < 5; turn++) {
    globalThis.gc?.();
    await new Promise((resolve) => setImmediate(resolve));
  }
  const { heapUsed, external } = process.memoryUsage();
  console.log((heapUsed + external) / 1024 / 1024);
}
await close();
