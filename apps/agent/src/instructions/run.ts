import { parseCommandLine } from "../tools/command-line.ts";
import { describeEnding, runCommand } from "../tools/run-command.ts";
import type { Instruction } from "./instruction.ts";
import { test } from "./test.ts";

export const run: Instruction = {
  name: "run",
  aliases: ["execute"],
  hint: "command",
  summary: "Run a command",
  async run(rest, task) {
    if (/^(?:the |all )?tests?\.?$/iu.test(rest)) return test.run("", task);
    if (rest === "") return task.say("Tell me which command: run node --version");
    // The user wrote the command, so there is nobody else to ask.
    const result = await runCommand(task, parseCommandLine(rest));
    if (result === undefined) return task.say("The command could not be started.");
    return task.say(result.exitCode === 0 ? "Done." : `The command failed: ${describeEnding(result)}.`);
  },
};
