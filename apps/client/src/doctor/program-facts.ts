import { existsSync, readFileSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";

import { findProgram } from "../agents/known/find-program.ts";
import type { Launch } from "../agents/launch.ts";
import type { ProgramFacts } from "./report.ts";

/** Programs whose first argument is the program that one means. */
const interpreters = /^(?:node|nodejs|deno|bun|python[\d.]*|ruby|perl|sh|bash|npx|uvx)(?:\.exe)?$/u;

/** Finds the program of a launch, and the version of the package that it belongs to, without running it. */
export function programFacts(
  { command, args }: Launch,
  env: Readonly<Record<string, string | undefined>>,
): ProgramFacts {
  const path = /[/\\]/u.test(command) ? existing(command) : findProgram(command, env);
  const script = interpreters.test(basename(command)) ? args.find((arg) => existing(arg) !== undefined) : undefined;
  const program = script === undefined ? path : resolve(script);
  return { path, version: program === undefined ? undefined : packageVersion(program) };
}

function existing(path: string): string | undefined {
  return existsSync(path) && statSync(path).isFile() ? resolve(path) : undefined;
}

/** The version in the nearest `package.json` above a file. */
function packageVersion(path: string): string | undefined {
  try {
    let folder = dirname(realpathSync(path));
    for (let depth = 0; depth < 4; depth += 1, folder = dirname(folder)) {
      const file = join(folder, "package.json");
      if (!existsSync(file)) continue;
      const { name, version } = JSON.parse(readFileSync(file, "utf8")) as Record<string, unknown>;
      // A file without a name only says what kind of modules there are.
      if (typeof name === "string" && typeof version === "string") return `${name} ${version}`;
    }
  } catch {
    // Then it is not known.
  }
  return undefined;
}
