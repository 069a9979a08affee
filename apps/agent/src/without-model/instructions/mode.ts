import { isModeId, modes } from "../modes.ts";
import type { Instruction } from "./instruction.ts";

export const mode: Instruction = {
  name: "mode",
  hint: modes.map(({ id }) => id).join(" or "),
  summary: "Change the mode: whether I ask before I change a file",
  async run(argument, task) {
    if (!isModeId(argument)) {
      const list = modes.map(({ id, description }) => `- ${id}: ${description.toLowerCase()}`).join("\n");
      return task.say(`The mode is ${task.session.state.mode}. Available modes:\n${list}\n`);
    }
    await task.setMode(argument);
    return task.say(`The mode is ${argument} now.`);
  },
};
