import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { TextChunks } from "./text-chunks.ts";

const chunk = fc.record(
  {
    sessionUpdate: fc.constantFrom("agent_message_chunk", "agent_thought_chunk"),
    content: fc.record({ type: fc.constant("text"), text: fc.string({ unit: "binary" }) }, { noNullPrototype: true }),
    messageId: fc.string({ unit: "binary" }),
  },
  { requiredKeys: ["sessionUpdate", "content"], noNullPrototype: true },
);

describe("TextChunks", () => {
  it("writes what JSON.stringify would say", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.array(chunk), (sessionId, updates) => {
        const chunks = new TextChunks(sessionId);
        for (const update of updates) {
          const json = chunks.paramsOf(update);
          expect(JSON.parse(json ?? "")).toEqual(JSON.parse(JSON.stringify({ sessionId, update })));
        }
      }),
    );
  });

  it.each<readonly [what: string, update: object]>([
    ["metadata", { sessionUpdate: "a", content: { type: "text", text: "x" }, _meta: {} }],
    ["metadata in the block", { sessionUpdate: "a", content: { type: "text", text: "x", _meta: {} } }],
    ["another block", { sessionUpdate: "a", content: { type: "image", data: "", mimeType: "" } }],
    ["no block", { sessionUpdate: "plan", entries: [] }],
    ["a text that is none", { sessionUpdate: "a", content: { type: "text", text: 7 } }],
    ["a message id that is none", { sessionUpdate: "a", content: { type: "text", text: "x" }, messageId: null }],
    ["a class of its own", Object.assign(new Date(0), { sessionUpdate: "a", content: { type: "text", text: "x" } })],
  ])("leaves an update with %s to JSON.stringify", (_what, update) => {
    expect(new TextChunks("s").paramsOf(update)).toBeUndefined();
  });
});
