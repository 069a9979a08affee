import { fixSteps } from "./fix.ts";
import type { Instruction } from "./instruction.ts";
import { PlanProgress } from "./plan-progress.ts";

export const plan: Instruction = {
  name: "plan",
  summary: "Show how I would fix a failing test, without doing it",
  async run(_, task) {
    await new PlanProgress(task.turn, fixSteps).publish();
    return task.say('This is how I go about a failing test. Say "fix" to start.');
  },
};
