import type { AgentTurn, AgentTurnContext } from "@acp/core/v2";
import { askPermission, createPlan, diff, elicitForm, elicitUrl } from "@acp/core/v2/agent";

import type { Conversation } from "../conversation/conversation.ts";
import { createVoice, type NewToolCall, type Task, type ToolCall } from "../task.ts";
import { readOwnFile, writeOwnFile } from "../tools/own-files.ts";
import { runCommand } from "./run-command.ts";
import { settings } from "./settings.ts";

/** A turn of version 2 as a task: files and terminals are our own. */
export function createTask(context: AgentTurnContext<Conversation>, pace: number): Task {
  const { turn, session, signal } = context;
  return {
    session,
    signal,
    ...createVoice(turn, pace),
    plan: (steps) => createPlan(turn, steps),
    toolCall: (call) => reportToolCall(turn, call),
    readText: (path) => readOwnFile(session, path, signal),
    writeText: (path, text) => writeOwnFile(session, path, text),
    runCommand: (command) => runCommand(context, command),
    setMode: (mode) => settings.set(session, "mode", mode),
    askForm: (message, schema) => elicitForm(turn, { message, schema }),
    askUrl: (message, url) => elicitUrl(turn, { message, url }),
  };
}

async function reportToolCall(turn: AgentTurn, { edit, ...made }: NewToolCall): Promise<ToolCall> {
  const call = await turn.toolCall({ ...made, ...(edit === undefined ? {} : { content: [diff(edit)] }) });
  return {
    update: (change) => call.update(change),
    complete: (output) => call.complete(output),
    fail: (reason) => call.fail(reason),
    giveUp: (reason) => call.update({ status: "cancelled", rawOutput: { reason } }),
    askPermission: (options) => askPermission(call, { options }),
  };
}
