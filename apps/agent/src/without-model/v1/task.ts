import type { AgentTurn, AgentTurnContext } from "@acp/core";
import { askPermission, createPlan, diff, elicitForm, elicitUrl } from "@acp/core/agent";

import type { Conversation } from "../conversation/conversation.ts";
import { createTextOutput, type NewToolCall, type Task, type ToolCall } from "../task.ts";
import { readLocalFile, writeLocalFile } from "../../workspace/local-files.ts";
import { runCommand } from "./run-command.ts";
import { settings } from "./settings.ts";

/** Creates the task of a turn in version 1. It uses the files and terminals of the client if the client has them (FS-02, TERM-02). */
export function createTask(context: AgentTurnContext<Conversation>, pace: number): Task {
  const { turn, session, client, signal } = context;
  return {
    session,
    signal,
    ...createTextOutput(turn, pace),
    plan: (steps) => createPlan(turn, steps),
    toolCall: (call) => reportToolCall(turn, call),
    // The answer of the client includes unsaved changes (FS-03).
    readText: async (path) =>
      client.capabilities.fs?.readTextFile === true
        ? (await client.request("fs/read_text_file", { path }, { signal })).content
        : readLocalFile(session, path, signal),
    writeText: async (path, text) => {
      if (client.capabilities.fs?.writeTextFile !== true) return writeLocalFile(session, path, text);
      await client.request("fs/write_text_file", { path, content: text });
    },
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
    cancel: (reason) => call.update({ status: "failed", rawOutput: { reason } }),
    askPermission: (options) => askPermission(call, { options }),
  };
}
