#!/usr/bin/env node
// The package for the runtime that this runs on. First of all, since what follows may print while it loads.
// oxlint-disable-next-line import/no-unassigned-import
import "#runtime/guard";

import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";

import { contentLength, ndjson } from "@acp/framing";

import { serveStdio } from "#runtime";

import { createReferenceAgent } from "./agent.ts";
import { LoginFile } from "./login/login-file.ts";
import { logInHere } from "./login/terminal-login.ts";

const usage = `Usage: acp-reference-agent [options]

An ACP agent over stdin and stdout that needs no model and no network. It speaks versions 1 and 2 of the protocol.

Options:
  --framing <name>  How messages are framed: ndjson (default) or content-length
  --pace <ms>       Milliseconds between two pieces of text. Default: 15
  --require-login <file>
                    Want a login before sessions, and remember it in this file
  --login           Only log in, in this terminal; needs --require-login
  --help            Show this
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
    // Past the guard, which keeps stdout for messages: nothing is served here.
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
    return logInHere(login);
  }
  await serveStdio(createReferenceAgent({ pace, ...(login === undefined ? {} : { login }) }), { framing });
  return 0;
}

try {
  process.exitCode = await main();
} catch (error) {
  // Wrong options; failures of a session are answered, not thrown.
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n\n${usage}`);
  process.exitCode = 2;
}
