import { absolutePath } from "../../workspace/project-path.ts";
import { readFile } from "../tools/read-file.ts";
import type { Instruction } from "./instruction.ts";

export const read: Instruction = {
  name: "read",
  aliases: ["show", "cat", "open"],
  hint: "file",
  summary: "Read a file",
  async run(argument, task) {
    if (argument === "") return task.say("Tell me which file: read src/main.js");
    const text = await readFile(task, absolutePath(task.session.cwd, argument));
    if (text === undefined) return task.say(`I could not read ${argument}.`);
    const lines = text === "" ? 0 : text.replace(/\n$/u, "").split("\n").length;
    return task.say(`${argument} has ${lines} ${lines === 1 ? "line" : "lines"}.`);
  },
};
