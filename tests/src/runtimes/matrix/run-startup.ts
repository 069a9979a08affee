/** What imports cost in a fresh process of every runtime, with the official SDK beside it. Prints a table. */
import { execFileSync } from "node:child_process";
import process from "node:process";
import { fileURLToPath } from "node:url";

import { commandOn, type RuntimeName, runtimeNames, runtimes } from "../../support/runtimes.ts";
import { table } from "./table.ts";

const program = fileURLToPath(new URL("../programs/import-time.js", import.meta.url));
const rounds = 15;

const imports: readonly (readonly string[])[] = [
  ["@acp/core"],
  ["@acp/core", "#runtime"],
  ["@agentclientprotocol/sdk"],
];

interface Cost {
  /** Milliseconds until the modules were there. */
  readonly wall: number;
  /** Milliseconds of the processor, on all threads: hardly changes with what else the machine does. */
  readonly cpu: number;
}

function importOnce(runtime: RuntimeName, modules: readonly string[]): Cost {
  const { command, args } = commandOn(runtime, program, modules);
  return JSON.parse(execFileSync(command, args, { encoding: "utf8" }));
}

function median(values: readonly number[]): string {
  const sorted = values.toSorted((a, b) => a - b);
  return (sorted[Math.floor(sorted.length / 2)] ?? 0).toFixed(1);
}

/** In turns, so that all of them see the same machine. */
function measure(runtime: RuntimeName): readonly string[] {
  const costs = Array.from({ length: rounds }, () => imports.map((modules) => importOnce(runtime, modules)));
  return imports.map((_, column) => {
    const ofColumn = costs.flatMap((round) => round[column] ?? []);
    return `${median(ofColumn.map(({ wall }) => wall))} / ${median(ofColumn.map(({ cpu }) => cpu))}`;
  });
}

const rows = runtimeNames.map((name) => [runtimes[name].title, ...measure(name)]);
const head = ["Import, ms: wall / processor", "@acp/core", "with the runtime package", "official SDK"];
process.stdout.write(`${table(head, rows)}\n`);
