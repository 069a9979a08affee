import { UsageError } from "@acp/core";
import * as ai from "ai";
import type { ModelMessage, ToolSet } from "ai";
import { textIn } from "../values.ts";
import type { Instructions, RunTurnOptions } from "./turn-options.ts";

/** Version 7 of `ai` has settings that version 6 has under other names, or not at all. */
const isVersion7 = "isStepCount" in ai;

/** The system prompt. */
export function withInstructions(instructions: Instructions): { instructions?: Instructions } {
  return isVersion7 ? { instructions } : ({ system: instructions } as object);
}

/** The tools, and which of their calls need a permission: in version 6 each tool says that itself. */
export function withTools(
  tools: ToolSet,
  toolApproval: RunTurnOptions["toolApproval"],
): { tools: ToolSet; toolApproval?: NonNullable<RunTurnOptions["toolApproval"]> } {
  if (toolApproval === undefined) return { tools };
  if (isVersion7) return { tools, toolApproval };
  const asking = Object.entries(tools).map(([name, tool]) => {
    const needsApproval = async (input: unknown, more: Asked): Promise<boolean> => {
      const status = await statusOf(toolApproval, tools, name, input, more);
      return status === undefined ? await needsItself(tool, input, more) : status;
    };
    return [name, { ...tool, needsApproval }];
  });
  return { tools: Object.fromEntries(asking) as ToolSet };
}

interface Asked {
  readonly toolCallId: string;
  readonly messages: ModelMessage[];
}

/** Whether the user is to be asked; `undefined` if that is up to the tool. */
async function statusOf(
  toolApproval: NonNullable<RunTurnOptions["toolApproval"]>,
  tools: ToolSet,
  toolName: string,
  input: unknown,
  more: Asked,
): Promise<boolean | undefined> {
  const context = { toolContext: undefined, toolsContext: {}, runtimeContext: {} };
  let status: unknown;
  if (typeof toolApproval === "function") {
    const { toolCallId, messages } = more;
    const toolCall = { type: "tool-call", toolCallId, toolName, input };
    status = await call(toolApproval, { toolCall, tools, messages, ...context });
  } else {
    const own: unknown = Object.hasOwn(toolApproval, toolName) ? toolApproval[toolName] : undefined;
    status = typeof own === "function" ? await call(own, input, { ...more, ...context }) : own;
  }
  const type = typeof status === "string" ? status : textIn(status, "type");
  if (type === "denied") {
    throw new UsageError(
      `toolApproval denies ${toolName}: version 6 of ai cannot do that. Use permission, or version 7.`,
    );
  }
  return type === "user-approval" ? true : type === "approved" ? false : undefined;
}

async function needsItself(tool: object, input: unknown, more: Asked): Promise<boolean> {
  const needs: unknown = "needsApproval" in tool ? tool.needsApproval : undefined;
  return typeof needs === "function" ? (await call(needs, input, more)) === true : needs === true;
}

async function call(run: object, ...args: readonly unknown[]): Promise<unknown> {
  return await (run as (...args: readonly unknown[]) => unknown)(...args);
}
