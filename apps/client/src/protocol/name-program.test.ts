import { ConnectionClosedError, type FailedProcess, TimeoutError } from "@acp/core";
import { expect, test } from "vitest";

import { nameProgram } from "./name-program.ts";
import { programName } from "./program-name.ts";

const process = (command: string, args: readonly string[], pid: number | undefined, event: string): FailedProcess => ({
  command,
  args,
  pid,
  event,
  quoted: ["why (pid 13)"],
});
const ended = (message: string, about?: FailedProcess): Error => new ConnectionClosedError(message, { process: about });
const late = (message: string, about?: FailedProcess): Error => new TimeoutError("start", 5, message, about);

test.each([
  [
    ended("secret", process("env", ["API_KEY=se cret", "/usr/bin/node", "agent.js"], 12, "exited with code 3")),
    "The agent process node (pid 12) exited with code 3",
  ],
  [
    ended("secret", process("/opt/my agent/run", ['--key=a " (pid 1) "'], 12, "closed its stdout without ending")),
    "The agent process run (pid 12) closed its stdout without ending",
  ],
  [
    late("secret", process("/usr/bin/node", ["a.js", "--key=x"], 12, "did not answer initialize within 5 ms")),
    "node (pid 12) did not answer initialize within 5 ms",
  ],
  [
    late("secret", process("/usr/bin/node", ["a.js"], undefined, "could not be started within 5 ms")),
    "node could not be started within 5 ms",
  ],
  [
    late("The agent did not answer session/new within 1 second"),
    "The agent did not answer session/new within 1 second",
  ],
])("nameProgram() names the program of %o: %s", (error, expected) => {
  expect(nameProgram(error)).toBe(expected);
});

test.each([
  ["node", "/usr/bin/node agent.js --key=secret"],
  ["node", "env API_KEY=secret node agent.js"],
  ["node", "/usr/bin/env -i A=1 B=2 /opt/bin/node agent.js C=3"],
  ["agent", "env -u HOME --chdir /tmp -- agent --acp"],
  ["agent", "env A=1 env B=2 agent"],
  ["env", "env -S A=secret"],
  ["env", "env A=1"],
])("programName() is %s for %s", (name, line) => {
  const [command = "", ...args] = line.split(" ");
  expect(programName(command, args)).toBe(name);
});
