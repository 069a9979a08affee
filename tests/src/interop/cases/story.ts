import { deepStrictEqual as equal } from "node:assert";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";

import { type InteropCase, test } from "../interop-case.ts";
import { at, type Json } from "../json.ts";
import { agentInfo } from "../profile.ts";

/** Whole turns, written the way users of each SDK write them. */
export const storyCases: readonly InteropCase[] = [
  test("a whole turn: text, thought, plan, tool call, permission, file, terminal, stop reason", async ({
    client,
    directory,
    newSession,
    play,
  }) => {
    equal(client.details.protocolVersion, 1);
    equal(client.details.agentInfo, agentInfo);
    const path = join(directory, "a.txt");
    await writeFile(path, "hello\n");
    const { updates, stopReason } = await play(await newSession(), [{ story: true }, { stop: "end_turn" }]);
    equal(stopReason, "end_turn");
    equal(await readFile(path, "utf8"), "HELLO\n");
    const terminalId = at(updates, 5, "content", 0, "terminalId");
    const expected = [
      { sessionUpdate: "agent_message_chunk", content: { type: "text", text: "Reading. " } },
      { sessionUpdate: "agent_thought_chunk", content: { type: "text", text: "Hm." } },
      { sessionUpdate: "plan", entries: [{ content: "Edit", priority: "high", status: "in_progress" }] },
      { sessionUpdate: "tool_call", toolCallId: "edit", title: "Edit a.txt", kind: "edit", status: "pending" },
      {
        sessionUpdate: "tool_call_update",
        toolCallId: "edit",
        status: "completed",
        content: [{ type: "diff", path, oldText: "hello\n", newText: "HELLO\n" }],
      },
      {
        sessionUpdate: "tool_call",
        toolCallId: "run",
        title: "Run cat",
        kind: "execute",
        status: "in_progress",
        content: [{ type: "terminal", terminalId }],
      },
      { sessionUpdate: "tool_call_update", toolCallId: "run", status: "completed" },
      { sessionUpdate: "agent_message_chunk", content: { type: "text", text: "0: HELLO\n" } },
    ];
    equal(updates.map(withoutMessageId), expected);
  }),
  test("CANC-05: a turn that is cancelled while it works ends with cancelled", async ({ newSession, play }) => {
    const turn = await play(await newSession(), [{ work: true }], { cancel: AbortSignal.timeout(50) });
    equal(turn.stopReason, "cancelled");
  }),
];

/** This toolkit names its messages; with the official SDK that is left to the author. */
function withoutMessageId(update: Json): Json {
  return Object.fromEntries(Object.entries(update).filter(([name]) => name !== "messageId"));
}
