import type { DecidePermission, RunTurnOptions } from "@acp/ai";

import type { Access, AgentTools, Remembered } from "../../tools/agent-tools.ts";
import { isOffered, type ModeId, needsPermission } from "../settings/modes.ts";

/** What a tool does to the world. A tool that does not say it may do anything. */
function accessOf({ access }: AgentTools, toolName: string): Access {
  return Object.hasOwn(access, toolName) ? (access[toolName]?.access ?? "execute") : "execute";
}

/** The tools that the model is offered in a mode. */
export function offeredTools(tools: AgentTools, mode: ModeId): string[] {
  return Object.keys(tools.tools).filter((name) => isOffered(mode, accessOf(tools, name)));
}

async function isProtected({ access }: AgentTools, toolName: string, input: unknown): Promise<boolean> {
  return Object.hasOwn(access, toolName) && (await access[toolName]?.isProtected?.(input)) === true;
}

/** Which calls need a permission. It is asked for each call, so that a change of the mode counts at once. */
export function approvalByMode(tools: AgentTools, currentMode: () => ModeId): RunTurnOptions["toolApproval"] {
  return async ({ toolCall: { toolName, input } }) => {
    const isAsked =
      needsPermission(currentMode(), accessOf(tools, toolName)) || (await isProtected(tools, toolName, input));
    return isAsked ? "user-approval" : undefined;
  };
}

/**
 * Asks the user about a call, which shows by then what it is going to do. "Always" counts for the rest of the session, and for
 * calls of the same kind: the tool says how far that goes. What is refused is not the end of the turn: the model reads why.
 */
export function permissionOf({ access }: AgentTools): DecidePermission {
  return async ({ toolName, toolCallId, input, ask, turn }) => {
    const tool = access[toolName];
    const problem = await tool?.propose?.(input, toolCallId);
    if (problem !== undefined) return { approved: false, reason: problem };
    const remembered = tool?.remember === undefined ? wholeTool(toolName) : await tool.remember(input, toolCallId);
    const isAllowed = await ask({ remember: remembered?.key, scope: remembered?.scope });
    if (isAllowed || turn.signal.aborted) return isAllowed;
    return { approved: false, reason: refusal };
  };
}

function wholeTool(toolName: string): Remembered {
  return { key: `tool ${toolName}`, scope: `every call of ${toolName} in this session` };
}

const refusal =
  "The user did not allow this. Do not try it again in the same way: do without it, or ask the user what to do instead.";
