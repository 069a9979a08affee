import { parseCommandLine } from "../../workspace/command-line.ts";
import { describeExit, runCommand } from "../tools/run-command.ts";
import type { Instruction } from "./instruction.ts";
import { test } from "./test.ts";

export const run: Instruction = {
  name: "run",
  aliases: ["execute"],
  hint: "command",
  summary: "Run a command",
  async run(argument, task) {
    if (/^(?:the |all )?tests?\.?$/iu.test(argument)) return test.run("", task);
    if (argument === "") return task.say("Tell me which command: run node --version");
    // Needs no permission: the user wrote the command.
    const result = await runCommand(task, parseCommandLine(argument));
    if (result === undefined) return task.say("I could not start the command.");
    return task.say(result.exitCode === 0 ? "Done." : `The command failed: ${describeExit(result)}.`);
  },
};
