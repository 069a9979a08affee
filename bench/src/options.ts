import { parseArgs } from "node:util";

import { isRuntime, type RuntimeName } from "./run/runtimes.ts";

export const usage = `npm run bench -- [options]

  --runtime <name>   node (default: the one that runs this), node20, node22, node24, node26, deno, bun
  --only <text>      only parts whose name contains it, or which belong to a group of that name; may be repeated
  --rounds <n>       how often every contestant runs each scenario (default 7)
  --quick            small counts, one round: shows that everything works, says nothing of speed
  --json <file>      writes the results there, too
  --list             names the parts and their groups, and runs none
`;

export interface Options {
  readonly runtime: RuntimeName;
  readonly only: readonly string[];
  readonly rounds: number;
  readonly quick: boolean;
  readonly json?: string | undefined;
  readonly list: boolean;
}

/** Reads the command line. Throws an error with a message for users. */
export function readOptions(args: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...args],
    options: {
      runtime: { type: "string", default: "node" },
      only: { type: "string", multiple: true, default: [] },
      rounds: { type: "string" },
      quick: { type: "boolean", default: false },
      json: { type: "string" },
      list: { type: "boolean", default: false },
    },
  });
  const { runtime } = values;
  if (!isRuntime(runtime)) throw new Error(`There is no runtime '${runtime}'`);
  const rounds = Number(values.rounds ?? (values.quick ? 1 : 7));
  if (!Number.isInteger(rounds) || rounds < 1) throw new Error("--rounds takes a whole number from 1");
  return { ...values, runtime, rounds };
}
