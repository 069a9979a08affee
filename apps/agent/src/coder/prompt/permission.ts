import type { DecidePermission, RunTurnOptions } from "@acp/ai";

import type { Access, AgentTools } from "../../tools/agent-tools.ts";
import { isOffered, type ModeId, needsPermission } from "../settings/modes.ts";

/** What a tool does to the world. A tool that does not say it may do anything. */
function accessOf({ access }: AgentTools, toolName: string): Access {
  return Object.hasOwn(access, toolName) ? (access[toolName]?.access ?? "execute") : "execute";
}

/** The tools that the model is offered in a mode. */
export function offeredTools(tools: AgentTools, mode: ModeId): string[] {
  return Object.keys(tools.tools).filter((name) => isOffered(mode, accessOf(tools, name)));
}

/** Which calls need a permission. It is asked for each call, so that a change of the mode counts at once. */
export function approvalByMode(tools: AgentTools, currentMode: () => ModeId): RunTurnOptions["toolApproval"] {
  return ({ toolCall: { toolName } }) =>
    needsPermission(currentMode(), accessOf(tools, toolName)) ? "user-approval" : undefined;
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
    const isAllowed = await ask({ remember: tool?.remember?.(input) ?? toolName });
    if (isAllowed || turn.signal.aborted) return isAllowed;
    return { approved: false, reason: refusal };
  };
}

const refusal =
  "The user did not allow this. Do not try it again in the same way: do without it, or ask the user what to do instead.";
