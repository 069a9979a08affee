import { expect, test } from "vitest";

import { nameProgram, programName } from "./name-program.ts";

test.each([
  [
    'The agent process env "API_KEY=se cret" /usr/bin/node agent.js (pid 12) exited with code 3\n  why (pid 13)',
    "The agent process node (pid 12) exited with code 3\n  why (pid 13)",
  ],
  [
    'The agent process "/opt/my agent/run" "--key=a \\" (pid 1) \\"" (pid 12) closed its stdout without ending',
    "The agent process run (pid 12) closed its stdout without ending",
  ],
  [
    "/usr/bin/node a.js --key=x (pid 12) did not answer initialize within 5 ms",
    "node (pid 12) did not answer initialize within 5 ms",
  ],
  ["/usr/bin/node a.js could not be started within 5 ms", "node could not be started within 5 ms"],
  ["The agent did not answer session/new within 1 second", "The agent did not answer session/new within 1 second"],
])("nameProgram() makes of %s: %s", (message, expected) => {
  expect(nameProgram(message)).toBe(expected);
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
