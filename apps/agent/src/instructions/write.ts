import { access } from "node:fs/promises";

import { RequestError } from "@acp/core";
import { isNotFound } from "@acp/core/agent";

import { failureReason } from "../failure-reason.ts";
import type { Task } from "../task.ts";
import { editFile } from "../tools/edit-file.ts";
import { absolutePath } from "../tools/project-path.ts";
import type { Instruction } from "./instruction.ts";

export const write: Instruction = {
  name: "write",
  hint: "file: text",
  summary: "Write a text to a file",
  async run(rest, task) {
    const [, name, text] = /^(\S+?):\s*([\s\S]+)$/u.exec(rest) ?? [];
    if (name === undefined || text === undefined) return task.say("Tell me file and text: write notes.txt: buy milk");
    const path = absolutePath(task.session.cwd, name);
    const newText = text.endsWith("\n") ? text : `${text}\n`;
    let oldText: string | undefined;
    try {
      oldText = await existingText(task, path);
    } catch (error) {
      return task.say(`I cannot write ${name}: ${failureReason(error)}`);
    }
    if (oldText === newText) return task.say(`${name} says that already.`);
    const outcome = await editFile(task, { path, oldText, newText });
    const said = {
      written: `Wrote ${name}.`,
      rejected: `All right, I left ${name} as it is.`,
      failed: `I could not write ${name}.`,
    };
    return task.say(said[outcome]);
  },
};

async function existingText(task: Task, path: string): Promise<string | undefined> {
  try {
    return await task.readText(path);
  } catch (error) {
    if (isNotFound(error)) return undefined;
    // Clients that let the failure of their file system through answer with an internal error instead.
    if (error instanceof RequestError && !(await isOnDisk(path))) return undefined;
    throw error;
  }
}

function isOnDisk(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
