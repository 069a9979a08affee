/** How long imports take in a fresh process of every runtime, with the official SDK beside it. Prints a table. */
import { execFileSync } from "node:child_process";
import process from "node:process";
import { fileURLToPath } from "node:url";

import { commandOn, type RuntimeName, runtimeNames, runtimes } from "../runtimes.ts";
import { table } from "./table.ts";

const program = fileURLToPath(new URL("../programs/import-time.js", import.meta.url));
const runs = 15;

/** Milliseconds: the fastest and the one in the middle. */
function measure(runtime: RuntimeName, ...modules: readonly string[]): string {
  const { command, args } = commandOn(runtime, program, modules);
  const times = Array.from({ length: runs }, () => Number(execFileSync(command, args, { encoding: "utf8" })));
  const sorted = times.toSorted((a, b) => a - b);
  return [sorted[0], sorted[Math.floor(runs / 2)]].map((time = 0) => time.toFixed(1)).join(" / ");
}

const rows = runtimeNames.map((name) => [
  runtimes[name].title,
  measure(name, "@acp/core"),
  measure(name, "@acp/core", "#runtime"),
  measure(name, "@agentclientprotocol/sdk"),
]);
const head = ["Import, ms: best / median", "@acp/core", "with the runtime package", "official SDK"];
process.stdout.write(`${table(head, rows)}\n`);
