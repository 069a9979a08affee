import { join } from "node:path";

import { findTestCommand } from "../repair/test-command.ts";
import { readFile } from "../tools/read-file.ts";
import { describeExit, runCommand } from "../tools/run-command.ts";
import type { Instruction } from "./instruction.ts";

export const test: Instruction = {
  name: "test",
  aliases: ["tests"],
  summary: "Run the tests of this project",
  async run(_, task) {
    const manifest = await readFile(task, join(task.session.cwd, "package.json"));
    const command = manifest === undefined ? undefined : findTestCommand(manifest);
    if (command === undefined) return task.say("I found no test script in package.json.");
    const result = await runCommand(task, command);
    if (result === undefined) return task.say("I could not run the tests.");
    return task.say(
      result.exitCode === 0
        ? "All tests pass."
        : `The tests fail (${describeExit(result)}). Say "fix" to have me look for the mistake.`,
    );
  },
};
