import { expect, test } from "vitest";

import { programName } from "./program-name.ts";

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
