import { decode } from "@acp/schema";
import { decodeSessionNotification } from "@acp/schema/v1";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createTextChunkReader } from "./read-text-chunks.ts";

const text = fc.oneof(fc.string({ unit: "binary" }), fc.string({ unit: fc.constantFrom('"', "\\", "}", ",", "a") }));
const tag = fc.constantFrom("agent_message_chunk", "agent_thought_chunk", "user_message_chunk", "plan", "");
const chunk = fc.record(
  {
    sessionUpdate: tag,
    content: fc.record(
      { type: fc.constantFrom("text", "image"), text, more: text },
      { requiredKeys: ["type", "text"] },
    ),
    messageId: fc.oneof(text, fc.constant(null)),
    more: text,
  },
  { requiredKeys: ["sessionUpdate", "content"] },
);
const message = fc
  .record({ sessionId: fc.constantFrom("s-1", "s-2", 's"3', "s\\"), update: chunk })
  .map((params) => JSON.stringify({ jsonrpc: "2.0", method: "session/update", params }));
/** A message with a replaced part, which mostly makes it invalid. */
const broken = fc
  .tuple(message, fc.nat(), fc.nat({ max: 3 }), fc.constantFrom("", '"', "\\", "}", ",", " ", "\n", '","x":"'))
  .map(([whole, at, length, by]) => {
    const start = at % whole.length;
    return whole.slice(0, start) + by + whole.slice(start + length);
  });

/** The result equals that of JSON.parse and the decoder, without an issue. */
function expectSame(params: object | undefined, given: string): void {
  if (params === undefined) return;
  expect({ jsonrpc: "2.0", method: "session/update", params }).toStrictEqual(JSON.parse(given));
  expect(decode(decodeSessionNotification, params)).toStrictEqual({ ok: true, value: params, issues: [] });
}

describe("createTextChunkReader()", () => {
  it("reads the same as JSON.parse and the decoder", () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(message, broken)), (texts) => {
        const { read } = createTextChunkReader("session/update");
        for (const given of texts) expectSame(read(given), given);
      }),
      { numRuns: 1000 },
    );
  });

  it.each(["\n", " ", "{"])("reads nothing that starts like no chunk, as the first of all (%j)", (beginning) => {
    for (let length = 1; length <= 200; length++) {
      const filled = beginning.repeat(length);
      expect(createTextChunkReader("session/update").read(`${filled}"0123456789abcdefm"}}}}`)).toBeUndefined();
      expect(createTextChunkReader("session/update").read(`${filled.slice(0, 16)}m${filled}"a"}}}}`)).toBeUndefined();
    }
  });

  const opening = '{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":';
  const before = `${opening}"agent_message_chunk","content":{"type":"text","text":`;

  it.each<readonly [what: string, given: string]>([
    ["a text chunk", `${before}"a"}}}}`],
    ["one with escapes", `${before}"\\"\\u00e9\\\\"}}}}`],
    ["one of a message", `${before}"a"},"messageId":"m"}}}`],
  ])("reads %s", (_what, given) => {
    const { read } = createTextChunkReader("session/update");
    // The second remembers the part before its text; the third is compared with that.
    for (let time = 0; time < 3; time++) {
      const params = read(given);
      expect(params).toBeDefined();
      expectSame(params, given);
    }
  });

  it.each<readonly [what: string, given: string]>([
    ["a member twice", `${before}"a","text":"b"}}}}`],
    ["the tag twice", `${before}"a"},"sessionUpdate":"plan"}}}`],
    ["another member behind the text", `${before}"a","annotations":{"audience":"}}}}"}}}}}`],
    ["a member beside the params", `${before}"a"}}},"extra":"}}}}"}`],
    ["a text that is none", `${before}null}}}}`],
    ["blanks", `${before}"a" }}}}`],
    ["a line break in the text", `${before}"a\n"}}}}`],
    ["a text that does not end", `${before}"}}}}`],
    ["nothing behind the text", before],
    ["a brace too many", `${before}"a"}}}}}`],
    ["a brace too many behind a message id", `${before}"a"},"messageId":"m"}}}}`],
    ["a number and a string", `${before}1,"x":"a"}}}}`],
    ["a message id that is none", `${before}"a"},"messageId":{"x":"m"}}}}`],
  ])("leaves %s to JSON.parse", (_what, given) => {
    const { read } = createTextChunkReader("session/update");
    for (let time = 0; time < 2; time++) read(`${before}"a"}}}}`);
    for (let time = 0; time < 2; time++) expect(read(given)).toBeUndefined();
  });

  it("reads chunks of a session after another update of another one", () => {
    const { read } = createTextChunkReader("session/update");
    const given = `${before}"a"}}}}`;
    read(given);
    expect(read(`${opening.replace('"s"', '"t"')}"plan","entries":[]}}}`)).toBeUndefined();
    expect(read(given)).toMatchObject({ sessionId: "s" });
  });

  it("knows chunks of sessions and kinds that take turns", () => {
    const chunks = ["s", "t"].flatMap((sessionId) =>
      ["agent_message_chunk", "agent_thought_chunk"].map((sessionUpdate) => ({
        sessionId,
        update: { sessionUpdate, content: { type: "text", text: "a" } },
      })),
    );
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...chunks), { minLength: 4 }), (sent) => {
        const { read } = createTextChunkReader("session/update");
        const texts = sent.map((params) => JSON.stringify({ jsonrpc: "2.0", method: "session/update", params }));
        expect(texts.map((each) => read(each))).toStrictEqual(sent);
      }),
    );
  });

  it("reads an escape in the name of a session, and the next session's", () => {
    const { read } = createTextChunkReader("session/update");
    const of = (sessionId: string): string => `${before.replace('"s"', JSON.stringify(sessionId))}"a"}}}}`;
    for (const id of ['a"b', "a\\", "a\\", "c"]) expect(read(of(id))).toMatchObject({ sessionId: id });
  });
});
