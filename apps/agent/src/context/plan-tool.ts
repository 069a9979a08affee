import type { AnyTurn } from "@acp/ai";
import type { PlanEntry } from "@acp/schema/v1";
import { tool } from "ai";

import type { AgentTools } from "../tools/agent-tools.ts";
import { inputSchema } from "../tools/input-schema.ts";

interface PlanInput {
  readonly entries: readonly (Pick<PlanEntry, "content" | "status"> & Partial<Pick<PlanEntry, "priority">>)[];
}

const description = `Shows the user the plan for the task: what is done, what you are doing, and what is still to do.
Use it for work of three steps or more. Each call replaces the whole plan: send it again whenever a step begins or ends.
One step is in progress at a time. Leave out steps that are no longer needed.`;

const schema = inputSchema<PlanInput>(
  {
    entries: {
      type: "array",
      description: "All steps, in order",
      minItems: 0,
      items: {
        type: "object",
        properties: {
          content: { type: "string", description: "What the step does, in a short sentence" },
          status: { type: "string", description: "How far it is", enum: ["pending", "in_progress", "completed"] },
          priority: { type: "string", description: "Default: medium", enum: ["high", "medium", "low"] },
        },
        required: ["content", "status"],
      },
    },
  },
  ["entries"],
);

/**
 * The tool `plan`: the model writes down what it is going to do, and the client shows it as a plan, which editors keep in view.
 * It helps the model as much as the user: a model that keeps a plan loses its way less often in a long task.
 */
export function createPlanTool(turn: AnyTurn): AgentTools {
  const plan = tool({
    description,
    inputSchema: schema,
    execute: async ({ entries }) => {
      const whole = entries.map((entry): PlanEntry => ({ priority: "medium", ...entry }));
      await turn.plan(whole);
      return "The user sees the plan.";
    },
  });
  return {
    tools: { plan },
    // The plan is what the user sees. A tool call beside it would say the same once more.
    show: { plan: { kind: "think", title: "Plan", isHidden: true } },
    access: { plan: { access: "read" } },
  };
}
