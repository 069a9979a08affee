import { replayMessages, type ReplayTarget, type ShowTools } from "@acp/ai";
import type { ModelMessage } from "ai";

import { codeBlock } from "../../tools/display.ts";
import type { Prompt } from "../commands/command.ts";
import type { CoderSession } from "./coder-session.ts";
import { joinTexts, withTextLast } from "./joined-text.ts";
import type { SessionRecord, ShownUpdate } from "./session-record.ts";

/** What does not belong to the conversation: the agent sends it anew whenever a session is opened, or it is over. */
const passing: ReadonlySet<string> = new Set([
  "available_commands_update",
  "config_option_update",
  "current_mode_update",
  "notice",
  "session_info_update",
  "state_update",
  "subagent_update",
]);

/** Saves what the client is shown, to be shown again when the session is loaded. */
export async function recordShown(
  { stored, version }: CoderSession,
  update: { readonly sessionUpdate: string },
): Promise<void> {
  if (passing.has(update.sessionUpdate)) return;
  await stored.append({ type: "shown", version, update: withTextLast({ ...update }) });
}

/** Saves the output of a command that ran in a terminal of the client, in place of that terminal. */
export async function recordOutput(session: CoderSession, toolCallId: string, output: string): Promise<void> {
  const content = output === "" ? [] : [{ type: "content", content: { type: "text", text: codeBlock(output) } }];
  const update = { sessionUpdate: "tool_call_update", toolCallId, content };
  await recordShown(session, update);
}

/** Saves what the user has said where no update announces it: a prompt of version 1, and steering in both versions. */
export async function recordSaid(session: CoderSession, content: Prompt): Promise<void> {
  const messageId = crypto.randomUUID();
  for (const update of toUpdates(session.version, messageId, content)) await recordShown(session, update);
}

function toUpdates(version: 1 | 2, messageId: string, content: Prompt): ShownUpdate[] {
  if (version === 1) return content.map((block) => toChunk(messageId, block));
  const message = { sessionUpdate: "user_message", messageId, content };
  return [message];
}

function toChunk(messageId: string, content: Prompt[number]): ShownUpdate {
  const chunk = { sessionUpdate: "user_message_chunk", messageId, content };
  return chunk;
}

/**
 * Shows the client what it was shown before (SESS-06). What was shown in the words of another version of the protocol
 * cannot be repeated: then it is told anew, from the conversation with the model.
 */
export async function replayHistory(
  { stored, version }: CoderSession,
  to: ReplayTarget,
  show: ShowTools,
): Promise<void> {
  if (await hasOtherVersion(stored.entries(), version)) {
    return replayMessages(to, await readMessages(stored.entries()), { show });
  }
  // This client may take less than the one that saw it first.
  const target: { offer(update: object): Promise<boolean> } = to;
  for await (const record of joinTexts(stored.entries())) {
    // One after the other: a replay is no faster than the client reads.
    if (record.type === "shown") await target.offer(record.update);
  }
}

async function hasOtherVersion(records: AsyncIterable<SessionRecord>, version: 1 | 2): Promise<boolean> {
  for await (const record of records) if (record.type === "shown" && record.version !== version) return true;
  return false;
}

/** All that was ever said, also what the model no longer knows. */
async function readMessages(records: AsyncIterable<SessionRecord>): Promise<ModelMessage[]> {
  const said: ModelMessage[] = [];
  for await (const record of records) if (record.type === "messages") said.push(...record.messages);
  return said;
}
