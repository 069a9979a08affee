import { join } from "node:path";

import { type Failure, parseFailure } from "../repair/failure.ts";
import { findRepair } from "../repair/find-repair.ts";
import { createTestFileCheck, findSuspects, type Suspect } from "../repair/suspects.ts";
import { findTestCommand } from "../repair/test-command.ts";
import type { Task } from "../task.ts";
import { describeCommand } from "../../workspace/command-line.ts";
import { editFile } from "../tools/edit-file.ts";
import { displayPath } from "../../workspace/project-path.ts";
import { readFile } from "../tools/read-file.ts";
import { runCommand } from "../tools/run-command.ts";
import type { Instruction } from "./instruction.ts";

export const fixSteps: readonly string[] = [
  "Run the tests to see what fails",
  "Follow the failure to the code behind it",
  "Find a repair that makes the tests pass",
  "Change the file",
  "Run the tests again",
];

export const fix: Instruction = {
  name: "fix",
  aliases: ["repair"],
  summary: "Fix the failing test of this project",
  async run(_, task) {
    await task.say("I'll run the project's tests first, to see what fails.");
    const plan = await task.plan(fixSteps);
    await plan.next();
    const manifest = await readFile(task, join(task.session.cwd, "package.json"));
    const test = manifest === undefined ? undefined : findTestCommand(manifest);
    if (test === undefined) return task.say("I found no test script in package.json, so I cannot tell what to fix.");
    const before = await runCommand(task, test);
    if (before === undefined) return task.say("I could not run the tests, so I cannot tell what to fix.");
    if (before.exitCode === 0) return task.say("All tests pass. There is nothing to fix.");

    await plan.next();
    const failure = parseFailure(before.output, task.session.cwd);
    await task.think(describeFailure(task, failure));
    const isTestFile = createTestFileCheck(test, task.session.cwd);
    const suspects = await findSuspects(failure, isTestFile, (path) => readFile(task, path));
    if (suspects.length === 0) return task.say("The output does not tell me which code fails.");

    await plan.next();
    await task.say(`The mistake seems to be in ${describeSuspects(task, suspects)}. I'll try the repairs I know.`);
    const repair = await findRepair(task, suspects, test);
    if (repair === undefined) return task.say("None of the repairs I know makes the tests pass. I changed nothing.");

    await plan.next();
    const place = `line ${repair.line} of ${displayPath(task.session.cwd, repair.path)}`;
    await task.say(`Found it: with ${place} changed, all tests pass in the copy.`);
    const outcome = await editFile(task, repair);
    if (outcome === "rejected") return task.say("All right, I left the file as it is. The test still fails.");
    if (outcome === "failed") return task.say("I could not write the file, so the test still fails.");

    await plan.next();
    const after = await runCommand(task, test);
    if (after?.exitCode !== 0) return task.say(`I changed ${place}, but \`${describeCommand(test)}\` still fails.`);
    await plan.next();
    return task.say(`Fixed: I changed ${place}, and all tests pass now.`);
  },
};

function describeFailure(task: Task, { message, frames }: Failure): string {
  const location =
    frames[0] === undefined ? "" : ` is at ${displayPath(task.session.cwd, frames[0].path)}:${frames[0].line}`;
  const quote = message === undefined ? "" : ` says "${message.split(/\s+/u).join(" ")}"`;
  if (location === "" && quote === "") return "The output does not say where the tests fail.";
  return `The first failure${location}${location !== "" && quote !== "" ? " and" : ""}${quote}. I'll look at the code it calls.`;
}

function describeSuspects(task: Task, suspects: readonly Suspect[]): string {
  return suspects
    .map(({ path, functionName }) => {
      const file = displayPath(task.session.cwd, path);
      return functionName === undefined ? file : `${functionName}() in ${file}`;
    })
    .join(" or ");
}
