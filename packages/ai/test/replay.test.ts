import type { ModelMessage } from "ai";
import { describe, expect, test } from "vitest";
import { replayMessages } from "../src/index.ts";
import { connect, versions } from "./support/connect.ts";

const call = (toolCallId: string) =>
  ({ type: "tool-call", toolCallId, toolName: "read", input: { path: "/a" } }) as const;
const history: ModelMessage[] = [
  {
    role: "user",
    content: [
      { type: "text", text: "Read it" },
      { type: "file", data: "aQ==", mediaType: "image/png" },
    ],
  },
  {
    role: "assistant",
    content: [{ type: "reasoning", text: "A file." }, { type: "text", text: "I read." }, call("1"), call("2")],
  },
  {
    role: "tool",
    content: [
      { type: "tool-result", toolCallId: "1", toolName: "read", output: { type: "text", value: "Its text" } },
      { type: "tool-result", toolCallId: "2", toolName: "read", output: { type: "error-text", value: "No such file" } },
    ],
  },
  { role: "assistant", content: "Done." },
];

describe.each(versions)("a history, version %i", (version) => {
  test("leaves out calls that are hidden", async () => {
    const client = await connect(version, {
      handle: async ({ turn }) => {
        await replayMessages(turn, history, { show: { read: { isHidden: true } } });
        return { stopReason: "end_turn" };
      },
    });
    await client.prompt("Go");
    expect(client.timeline().map(({ type }) => type)).toEqual(["agent_thought", "agent_message", "agent_message"]);
  });

  test("is shown as it was live", async () => {
    const client = await connect(version, {
      handle: async ({ turn }) => {
        await replayMessages(turn, history, { show: () => ({ kind: "read" }) });
        return { stopReason: "end_turn" };
      },
    });
    expect(await client.prompt("Go")).toMatchObject({ stopReason: "end_turn" });
    expect(client.timeline()).toMatchObject([
      { type: "agent_thought", text: "A file." },
      { type: "agent_message", text: "I read." },
      {
        type: "tool_call",
        title: "read /a",
        kind: "read",
        status: "completed",
        content: [{ content: { text: "Its text" } }],
      },
      { type: "tool_call", title: "read /a", status: "failed", content: [{ content: { text: "No such file" } }] },
      { type: "agent_message", text: "Done." },
    ]);
    expect(client.received()).toContain("aQ==");
  });
});
