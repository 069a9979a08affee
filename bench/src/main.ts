/** `npm run bench`: measures the toolkit beside raw loops and other libraries, and prints tables. */
import { writeFileSync } from "node:fs";
import process from "node:process";

import { type Options, readOptions, usage } from "./options.ts";
import { parts } from "./parts/parts.ts";
import type { Outcome, Part } from "./parts/part.ts";
import { machine, type Machine } from "./report/machine.ts";
import { table } from "./report/table.ts";

/** What `--json` writes. */
export interface Results {
  readonly machine: Machine;
  readonly runtime: string;
  readonly rounds: number;
  readonly parts: readonly (Outcome & { readonly name: string; readonly group: string })[];
}

function isChosen({ name, group, isOfNode }: Part, { only, runtime }: Options): boolean {
  if (isOfNode === true && !runtime.startsWith("node")) return false;
  return only.length === 0 || only.some((text) => group === text || name.includes(text));
}

async function bench(options: Options): Promise<void> {
  const chosen = parts.filter((part) => isChosen(part, options));
  if (chosen.length === 0) throw new Error("Nothing has such a name; --list tells the names");
  if (options.list) {
    process.stdout.write(chosen.map(({ group, name }) => `${group}: ${name}\n`).join(""));
    return;
  }
  const { runtime, rounds } = options;
  const results: Results["parts"][number][] = [];
  const told = machine(runtime);
  process.stdout.write(`${told.cpu}, ${told.cores} cores, ${told.system}; ${told.runtime}; ${rounds} rounds\n`);
  for (const part of chosen) {
    const outcome = await part.run(options);
    results.push({ name: part.name, group: part.group, ...outcome });
    process.stdout.write(`\n${outcome.title} [${part.name}]\n\n${table(outcome.head, outcome.rows)}\n`);
  }
  if (options.json === undefined) return;
  writeFileSync(
    options.json,
    `${JSON.stringify({ machine: told, runtime, rounds, parts: results } satisfies Results, null, 2)}\n`,
  );
}

try {
  await bench(readOptions(process.argv.slice(2)));
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n\n${usage}`);
  process.exitCode = 1;
}
