import type { AgentTurn, AgentTurnContext } from "@acp/core/v2";
import { askPermission, createPlan, diff, elicitForm, elicitUrl } from "@acp/core/v2/agent";

import type { Conversation } from "../conversation/conversation.ts";
import { createTextOutput, type NewToolCall, type Task, type ToolCall } from "../task.ts";
import { readLocalFile, writeLocalFile } from "../../workspace/local-files.ts";
import { runCommand } from "./run-command.ts";
import { settings } from "./settings.ts";

/** Creates the task of a turn in version 2, in which clients offer neither files nor terminals. */
export function createTask(context: AgentTurnContext<Conversation>, pace: number): Task {
  const { turn, session, signal } = context;
  return {
    session,
    signal,
    ...createTextOutput(turn, pace),
    plan: (steps) => createPlan(turn, steps),
    toolCall: (call) => reportToolCall(turn, call),
    readText: (path) => readLocalFile(session, path, signal),
    writeText: (path, text) => writeLocalFile(session, path, text),
    runCommand: (command) => runCommand(context, command),
    setMode: (mode) => settings.set(session, "mode", mode),
    askForm: (message, schema) => elicitForm(turn, { message, schema }),
    askUrl: (message, url) => elicitUrl(turn, { message, url }),
  };
}

async function reportToolCall(turn: AgentTurn, { edit, ...fields }: NewToolCall): Promise<ToolCall> {
  const call = await turn.toolCall({ ...fields, ...(edit === undefined ? {} : { content: [diff(edit)] }) });
  return {
    update: (change) => call.update(change),
    complete: (output) => call.complete(output),
    fail: (reason) => call.fail(reason),
    cancel: (reason) => call.update({ status: "cancelled", rawOutput: { reason } }),
    askPermission: (options) => askPermission(call, { options }),
  };
}
