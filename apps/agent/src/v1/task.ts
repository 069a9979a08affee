import type { AgentTurn, AgentTurnContext } from "@acp/core";
import { askPermission, createPlan, diff, elicitForm, elicitUrl } from "@acp/core/agent";

import type { Conversation } from "../conversation/conversation.ts";
import { createVoice, type NewToolCall, type Task, type ToolCall } from "../task.ts";
import { readOwnFile, writeOwnFile } from "../tools/own-files.ts";
import { runCommand } from "./run-command.ts";
import { settings } from "./settings.ts";

/** A turn of version 1 as a task: files and terminals are those of the client, if it has any (FS-02, TERM-02). */
export function createTask(context: AgentTurnContext<Conversation>, pace: number): Task {
  const { turn, session, client, signal } = context;
  return {
    session,
    signal,
    ...createVoice(turn, pace),
    plan: (steps) => createPlan(turn, steps),
    toolCall: (call) => reportToolCall(turn, call),
    // Unsaved changes of the user are included (FS-03).
    readText: async (path) =>
      client.capabilities.fs?.readTextFile === true
        ? (await client.request("fs/read_text_file", { path }, { signal })).content
        : readOwnFile(session, path, signal),
    writeText: async (path, text) => {
      if (client.capabilities.fs?.writeTextFile !== true) return writeOwnFile(session, path, text);
      await client.request("fs/write_text_file", { path, content: text });
    },
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
    giveUp: (reason) => call.update({ status: "failed", rawOutput: { reason } }),
    askPermission: (options) => askPermission(call, { options }),
  };
}
