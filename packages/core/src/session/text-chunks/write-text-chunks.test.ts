import { agentTable } from "@acp/schema/v1";
import { agentTable as unstableTable } from "@acp/schema/v1/unstable";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { chunkTags } from "./message-parts.ts";
import { createTextChunkWriter } from "./write-text-chunks.ts";

const chunk = fc.record(
  {
    sessionUpdate: fc.constantFrom("agent_message_chunk", "agent_thought_chunk"),
    content: fc.record({ type: fc.constant("text"), text: fc.string({ unit: "binary" }) }, { noNullPrototype: true }),
    messageId: fc.string({ unit: "binary" }),
  },
  { requiredKeys: ["sessionUpdate", "content"], noNullPrototype: true },
);

describe("createTextChunkWriter()", () => {
  it("writes the same as JSON.stringify", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.array(chunk), (sessionId, updates) => {
        const write = createTextChunkWriter("session/update", sessionId);
        for (const update of updates) {
          const message = { jsonrpc: "2.0", method: "session/update", params: { sessionId, update } };
          expect(JSON.parse(write(update) ?? "")).toEqual(JSON.parse(JSON.stringify(message)));
        }
      }),
    );
  });

  it.each([
    ["v1", agentTable],
    ["the unstable part of v1", unstableTable],
  ])("writes none that has to be advertised, by %s", (_which, { variants }) => {
    for (const tag of chunkTags) expect(variants["SessionUpdate"]?.[tag]).toBeUndefined();
  });

  it.each<readonly [what: string, update: object]>([
    ["metadata", { sessionUpdate: "agent_message_chunk", content: { type: "text", text: "x" }, _meta: {} }],
    [
      "metadata in the block",
      { sessionUpdate: "agent_message_chunk", content: { type: "text", text: "x", _meta: {} } },
    ],
    ["another block", { sessionUpdate: "agent_message_chunk", content: { type: "image", data: "", mimeType: "" } }],
    ["no block", { sessionUpdate: "plan", entries: [] }],
    ["a text that is none", { sessionUpdate: "agent_message_chunk", content: { type: "text", text: 7 } }],
    [
      "a message id that is none",
      { sessionUpdate: "agent_message_chunk", content: { type: "text", text: "x" }, messageId: null },
    ],
    ["a tag of its own", { sessionUpdate: "compaction_summary_chunk", content: { type: "text", text: "x" } }],
    [
      "a class of its own",
      Object.assign(new Date(0), { sessionUpdate: "agent_message_chunk", content: { type: "text", text: "x" } }),
    ],
  ])("leaves an update with %s to JSON.stringify", (_what, update) => {
    expect(createTextChunkWriter("session/update", "s")(update)).toBeUndefined();
  });
});
