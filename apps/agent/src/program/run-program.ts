import { writeFileSync } from "node:fs";
import { serveStdio } from "#runtime";

import { LoginFile } from "../login/login-file.ts";
import { logInInTerminal } from "../login/terminal-login.ts";
import { chooseAgent } from "./choose-agent.ts";
import { parseOptions, usage } from "./options.ts";
import { readVersion } from "./version.ts";
import { describeError } from "../describe-error.ts";
import { ConfigError } from "./read-config.ts";

/** Runs the program until its client has gone; returns its exit code. */
export async function runProgram(args: readonly string[]): Promise<number> {
  try {
    return await run(args);
  } catch (error) {
    // Errors inside a session are answered to the client and do not get here.
    const message = describeError(error);
    const help = error instanceof ConfigError ? "" : "Run acp-agent --help for the options.\n";
    process.stderr.write(`acp-agent: ${message}\n${help}`);
    return 2;
  }
}

async function run(args: readonly string[]): Promise<number> {
  const options = parseOptions(args);
  // These bypass the guard, which redirects what is written to stdout: no connection needs stdout here.
  if (options.help) return print(usage);
  if (options.version) return print(`${readVersion()}\n`);
  const login = options.loginFile === undefined ? undefined : new LoginFile(options.loginFile);
  if (options.logsIn && login !== undefined) return logInInTerminal(login);
  await serveStdio(await chooseAgent(options, login), { framing: options.framing, ...ending });
  return 0;
}

/** After a request to a model, Deno does not notice that nothing is left to do. What is said by then is in the journal. */
const ending = "Deno" in globalThis ? { exitGrace: 250 } : {};

function print(text: string): number {
  writeFileSync(1, text);
  return 0;
}
