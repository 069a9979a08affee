import { type AnyTurn, reportedCall, type ShowTools } from "@acp/ai";
import { jsonSchema, type ModelMessage, tool } from "ai";

import type { AgentTools } from "../../tools/agent-tools.ts";
import { createProgressTurn } from "./progress-turn.ts";

/** What the model hands to a subagent. */
interface Task {
  readonly title: string;
  readonly prompt: string;
}

/** A subagent that works. */
export interface Subagent {
  /** The turn in which it works. */
  readonly turn: AnyTurn;
  /** Tells the client how it has ended. */
  end(stopReason: string): Promise<void>;
}

/** What the tool needs to run subagents. */
export interface SubagentHost {
  readonly turn: AnyTurn;
  /** Opens a session for a subagent; `undefined` for a client that does not show sessions of subagents. */
  open?(title: string, signal: AbortSignal): Promise<Subagent | undefined>;
  /** Has the model work on the messages, in the turn of a subagent. Resolves with how that has ended. */
  run(turn: AnyTurn, messages: ModelMessage[]): Promise<{ readonly stopReason: string }>;
}

/**
 * The tool `task`: the model hands a part of its work to a subagent, with an empty context of its own. Only the answer of the
 * subagent comes back, not all that it had to read for it. Subagents have no subagents.
 */
export function createTaskTool(host: SubagentHost): AgentTools {
  const task = tool({
    description:
      "Hands a part of the work to a helper that has the same tools, but does not know this conversation. Use it to search " +
      "or to read much when only the answer matters, and for parts that do not depend on each other: several calls run at once.",
    inputSchema: jsonSchema<Task>({
      type: "object",
      properties: {
        title: { type: "string", description: "What it is about, in three to six words" },
        prompt: { type: "string", description: "Everything the helper has to know, and what it is to answer" },
      },
      required: ["title", "prompt"],
      additionalProperties: false,
    }),
    execute: (input, { toolCallId, abortSignal }) => runTask(host, input, toolCallId, abortSignal),
  });
  return {
    tools: { task },
    show: taskDisplays,
    // What it does is decided call by call, as for the agent itself.
    access: { task: { access: "read" } },
  };
}

/** How the calls look: by what they are about. */
export const taskDisplays: ShowTools = {
  task: { kind: "think", title: ({ title = "Subagent" }: Partial<Task>) => title },
};

async function runTask(host: SubagentHost, task: Task, toolCallId: string, abort?: AbortSignal): Promise<string> {
  const { turn } = host;
  const signal = AbortSignal.any([turn.signal, ...(abort === undefined ? [] : [abort])]);
  const subagent = (await host.open?.(task.title, signal)) ?? (await workInCall(turn, toolCallId, signal));
  const messages: ModelMessage[] = [{ role: "user", content: task.prompt }];
  let stopReason = "error";
  try {
    ({ stopReason } = await host.run(subagent.turn, messages));
  } finally {
    await subagent.end(stopReason);
  }
  const answer = lastText(messages);
  if (stopReason === "end_turn") return answer;
  throw new Error(`The subagent has ended with ${stopReason}. Its last words: ${answer}`);
}

async function workInCall(turn: AnyTurn, toolCallId: string, signal: AbortSignal): Promise<Subagent> {
  const call = await reportedCall(turn, toolCallId);
  return {
    turn: createProgressTurn(turn, { show: (text) => call.update({ content: text }) }, signal),
    end: () => Promise.resolve(),
  };
}

/** What the subagent has said last. */
function lastText(messages: readonly ModelMessage[]): string {
  const said = messages.findLast(({ role }) => role === "assistant")?.content ?? "";
  const parts = typeof said === "string" ? [said] : said.flatMap((part) => (part.type === "text" ? [part.text] : []));
  return parts.join("").trim();
}
