#!/usr/bin/env node
// The guard of the current runtime keeps stdout free for messages. It comes first: modules below may print while they load.
// oxlint-disable-next-line import/no-unassigned-import
import "#runtime/guard";

import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";

import { contentLength, ndjson } from "@acp/framing";

import { serveStdio } from "#runtime";

import { createReferenceAgent } from "./without-model/agent.ts";
import { LoginFile } from "./login/login-file.ts";
import { logInInTerminal } from "./login/terminal-login.ts";

const usage = `Usage: acp-agent [options]

Runs an ACP agent over stdin and stdout. It needs no model and no network, and speaks versions 1 and 2 of the protocol.

Options:
  --framing <name>  Framing of messages: ndjson (default) or content-length
  --pace <ms>       Milliseconds between two chunks of text. Default: 15
  --require-login <file>
                    Refuse sessions until somebody logs in. The file stores the login
  --login           Log in, in this terminal, and exit. Needs --require-login
  --help            Show this help
`;

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      framing: { type: "string", default: "ndjson" },
      pace: { type: "string", default: "15" },
      "require-login": { type: "string" },
      login: { type: "boolean", default: false },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) {
    // Bypasses the guard, which redirects what is written to stdout: no connection needs stdout here.
    writeFileSync(1, usage);
    return 0;
  }
  const framing = [ndjson, contentLength].find(({ name }) => name === values.framing);
  if (framing === undefined) throw new TypeError(`Unknown framing: ${values.framing}`);
  const pace = /^\d+(?:\.\d+)?$/u.test(values.pace) ? Number(values.pace) : undefined;
  if (pace === undefined) throw new TypeError(`--pace needs a number of milliseconds: ${values.pace}`);
  const file = values["require-login"];
  const login = file === undefined ? undefined : new LoginFile(file);
  if (values.login) {
    if (login === undefined) throw new TypeError("--login needs --require-login");
    return logInInTerminal(login);
  }
  await serveStdio(createReferenceAgent({ pace, ...(login === undefined ? {} : { login }) }), { framing });
  return 0;
}

try {
  process.exitCode = await main();
} catch (error) {
  // Invalid options. Errors inside a session are answered to the client and do not get here.
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n\n${usage}`);
  process.exitCode = 2;
}
