import { existsSync, statSync } from "node:fs";
import { basename, resolve } from "node:path";

import { findProgram, packageOf } from "../agents/known-agents.ts";
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
  const { name, version } = (program === undefined ? undefined : packageOf(program)) ?? {};
  return { path, version: name === undefined ? undefined : `${name} ${version}` };
}

function existing(path: string): string | undefined {
  return existsSync(path) && statSync(path).isFile() ? resolve(path) : undefined;
}
