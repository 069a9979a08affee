import { fixSteps } from "./fix.ts";
import type { Instruction } from "./instruction.ts";

export const plan: Instruction = {
  name: "plan",
  summary: "Show how I would fix a failing test, without doing it",
  async run(_, task) {
    await task.plan(fixSteps);
    return task.say('This is how I go about a failing test. Say "fix" to start.');
  },
};
