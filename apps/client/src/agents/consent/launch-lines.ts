import { visibleText } from "@acp/core/state";

import { commandLineOf } from "../../text/command-line-of.ts";
import type { Launch } from "../launch.ts";

/** Variables by which a program, or what it starts, loads code from elsewhere. */
const loaders =
  /^(?:LD_|DYLD_|NODE_(?:OPTIONS|PATH)$|BUN_|DENO_|PYTHON|RUBY(?:OPT|LIB)$|PERL5|_?JAVA_|JDK_JAVA_|BASH_ENV$|ENV$|PATH$|GIT_|NPM_CONFIG_|UV_|PIP_|GCONV_PATH$)/iu;

/** All that has an effect on what a launch runs, one line each: the user judges it. */
export function launchLines({ command, args, env = {} }: Pick<Launch, "command" | "args" | "env">): string[] {
  return [`Runs: ${visibleText(commandLineOf([command, ...args]))}`, ...variableLines(env)];
}

/** The variables with their values, and which of them can make a program run other code. */
export function variableLines(env: Readonly<Record<string, string>>): string[] {
  const variables = Object.entries(env);
  const loading = variables.map(([name]) => name).filter((name) => loaders.test(name));
  return [
    ...variables.map(([name, value]) => `With: ${visibleText(`${name}=${value}`)}`),
    ...loading.map((name) => `! ${visibleText(name)} can make it run other code`),
  ];
}
