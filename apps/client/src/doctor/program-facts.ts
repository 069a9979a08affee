import { resolve } from "node:path";

import type { Environment } from "../cli/streams.ts";
import { findProgram, isFile, packageOf, scriptOf } from "../agents/known-agents.ts";
import type { Launch } from "../agents/launch.ts";
import type { ProgramFacts } from "./report.ts";

/** Finds the program of a launch, and the version of the package that it belongs to, without running it. */
export function programFacts({ command, args }: Launch, env: Environment): ProgramFacts {
  const here = isFile(command) ? resolve(command) : undefined;
  const path = /[/\\]/u.test(command) ? here : findProgram(command, env);
  const program = scriptOf(command, args) ?? path;
  const { name, version } = (program === undefined ? undefined : packageOf(resolve(program))) ?? {};
  return { path, version: name === undefined ? undefined : `${name} ${version}` };
}
