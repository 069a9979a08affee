#!/usr/bin/env node
// The guard of the current runtime keeps stdout free for messages. It comes first: modules below may print while they load.
// oxlint-disable-next-line import/no-unassigned-import
import "#runtime/guard";

import { writeFileSync } from "node:fs";

import { serveStdio } from "#runtime";

import { LoginFile } from "./login/login-file.ts";
import { logInInTerminal } from "./login/terminal-login.ts";
import { chooseAgent } from "./program/choose-agent.ts";
import { ConfigError } from "./program/config-error.ts";
import { parseOptions, usage } from "./program/options.ts";
import { readVersion } from "./program/version.ts";

async function main(): Promise<number> {
  const options = parseOptions(process.argv.slice(2));
  // These bypass the guard, which redirects what is written to stdout: no connection needs stdout here.
  if (options.help) return print(usage);
  if (options.version) return print(`${readVersion()}\n`);
  const login = options.loginFile === undefined ? undefined : new LoginFile(options.loginFile);
  if (options.logsIn && login !== undefined) return logInInTerminal(login);
  await serveStdio(await chooseAgent(options, login), { framing: options.framing });
  return 0;
}

function print(text: string): number {
  writeFileSync(1, text);
  return 0;
}

try {
  process.exitCode = await main();
} catch (error) {
  // Errors inside a session are answered to the client and do not get here.
  const message = error instanceof Error ? error.message : String(error);
  process.stderr.write(error instanceof ConfigError ? `acp-agent: ${message}\n` : `${message}\n\n${usage}`);
  process.exitCode = 2;
}
