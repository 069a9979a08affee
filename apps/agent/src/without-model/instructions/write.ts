import { describeError } from "../../describe-error.ts";
import { editFile } from "../tools/edit-file.ts";
import { existingText } from "../../workspace/existing-text.ts";
import { absolutePath } from "../../workspace/project-path.ts";
import type { Instruction } from "./instruction.ts";

export const write: Instruction = {
  name: "write",
  hint: "file: text",
  summary: "Write a text to a file",
  async run(argument, task) {
    const [, name, text] = /^(\S+?):\s*([\s\S]+)$/u.exec(argument) ?? [];
    if (name === undefined || text === undefined)
      return task.say("Tell me which file, and what to write: write notes.txt: buy milk");
    const path = absolutePath(task.session.cwd, name);
    const newText = text.endsWith("\n") ? text : `${text}\n`;
    let oldText: string | undefined;
    try {
      oldText = await existingText((one) => task.readText(one), path);
    } catch (error) {
      return task.say(`I cannot write ${name}: ${describeError(error)}`);
    }
    if (oldText === newText) return task.say(`${name} has this text already.`);
    const outcome = await editFile(task, { path, oldText, newText });
    const messages = {
      written: `Wrote ${name}.`,
      rejected: `All right, I left ${name} as it is.`,
      failed: `I could not write ${name}.`,
    };
    return task.say(messages[outcome]);
  },
};
