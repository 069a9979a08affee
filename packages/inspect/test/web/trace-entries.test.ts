import { expect, test } from "vitest";

import { plantedSecrets, secretsIn } from "../../../record/test/redaction/corpus.ts";
import { createInspector } from "../../src/inspector.ts";
import { type TraceContent, TraceEntries } from "../../src/web/trace-entries.ts";
import type { TraceEntry } from "../../src/web/trace-index.ts";
import { call, chunk, openingOf, prompt, update } from "./messages.ts";

function entriesOf(
  messages: readonly (readonly ["agent" | "client", unknown])[],
  content?: TraceContent,
): { readonly entries: TraceEntry[]; readonly texts: string[] } {
  const inspector = createInspector();
  const trace = new TraceEntries(content);
  const made = messages.map(([from, message], at) =>
    trace.add(inspector.take(from, message, new Date(1_000 + 10 * at)), message),
  );
  return { entries: made.map(({ entry }) => entry), texts: made.map(({ text }) => text) };
}

test("an answer knows its request, its session and its turn; ids of the two sides are two", () => {
  const { entries } = entriesOf([
    ...openingOf("s"),
    ["client", prompt(7, "s")],
    ["agent", call(7, "fs/read_text_file", { sessionId: "s", path: "/a" })],
    ["client", { jsonrpc: "2.0", id: 7, result: { content: "" } }],
    ["agent", { jsonrpc: "2.0", id: 7, result: { stopReason: "end_turn" } }],
    ["agent", chunk("late", "s")],
    ["client", prompt(8, "s")],
    ["agent", { jsonrpc: "2.0", id: 99, result: {} }],
  ]);
  const facts = entries.slice(4).map(({ name, id, answers, session, turn }) => [name, id, answers, session, turn]);
  expect(facts).toEqual([
    ["session/prompt", "7", undefined, "s", 1],
    ["fs/read_text_file", "7", undefined, "s", 1],
    ["fs/read_text_file", "7", 1, "s", 1],
    ["session/prompt", "7", 3, "s", 1],
    ["session/update agent_message_chunk", undefined, undefined, "s", undefined],
    ["session/prompt", "8", undefined, "s", 2],
    ["answer", "99", undefined, undefined, undefined],
  ]);
});

test("a prompt of version 2, which is answered at once, keeps its turn until the session is idle", () => {
  const { entries } = entriesOf([
    ...openingOf("s", 2),
    ["client", prompt(7, "s")],
    ["agent", { jsonrpc: "2.0", id: 7, result: {} }],
    ["agent", update("s", { sessionUpdate: "state_update", state: "running" })],
    ["agent", update("s", { sessionUpdate: "state_update", state: "idle", stopReason: "end_turn" })],
    ["agent", update("s", { sessionUpdate: "session_info_update", title: "T" })],
  ]);
  expect(entries.slice(4).map(({ turn }) => turn)).toEqual([1, 1, 1, 1, undefined]);
});

test("chunks of one text join, whatever else comes between does not", () => {
  const { entries } = entriesOf([
    ...openingOf("s"),
    ["agent", chunk("a", "s")],
    ["agent", chunk("b", "s")],
    ["agent", chunk("c", "t")],
    ["agent", update("s", { sessionUpdate: "tool_call", toolCallId: "c", title: "T" })],
    ["agent", chunk("d", "s")],
  ]);
  expect(entries.slice(4).map(({ joins }) => joins)).toEqual([false, true, false, false, false]);
});

test("no planted secret is in an entry or its text", () => {
  const left = plantedSecrets.flatMap((planted) => {
    const { text, value } = planted;
    const messages = (
      text === undefined
        ? [value]
        : [
            chunk(text, "s"),
            update(text, { sessionUpdate: "tool_call", toolCallId: text, title: text, rawInput: { command: text } }),
            call(text, text, { text }),
            { jsonrpc: "2.0", id: 1, error: { code: 1, message: text, data: { reason: text } } },
            { jsonrpc: "2.0", id: text, result: {} },
            `log: ${text}`,
          ]
    ).map((message) => ["agent", message] as const);
    const opening = openingOf("s");
    const { entries, texts } = entriesOf([...opening, ...messages]);
    const written = [...texts, ...entries.map((entry) => JSON.stringify(entry))];
    // Made-up secrets are short at times: words of the protocol have them, too.
    const own = written.filter((_, at) => at % texts.length >= opening.length);
    return secretsIn(own.join("\n"), [planted]);
  });
  expect(left).toEqual([]);
});

test("without text, lengths are left, and what says which kind of message it is", () => {
  const secret = { sessionUpdate: "tool_call", toolCallId: "c-1", title: "rm notes", kind: "execute" };
  const messages = [
    ["agent", update("s", { ...secret, rawInput: { kind: "word", command: "rm notes" } })],
    ["agent", "a line of a log"],
    ["agent", { jsonrpc: "2.0", id: 5, method: "a method with spaces", params: { type: "two words" } }],
  ] as const;
  const { texts, entries } = entriesOf(messages, { withoutText: true });
  expect(texts.map((text) => JSON.parse(text))).toEqual([
    update("s", {
      ...secret,
      title: "<8 characters>",
      rawInput: { kind: "<4 characters>", command: "<8 characters>" },
    }),
    "<15 characters>",
    { jsonrpc: "2.0", id: 5, method: "<20 characters>", params: { type: "<9 characters>" } },
  ]);
  expect(JSON.stringify(entries)).not.toContain("notes");
});

test("a message with too many levels, or a lone surrogate, is written all the same", () => {
  let deep: unknown = 0;
  for (let level = 0; level < 20_000; level++) deep = [deep];
  const { texts } = entriesOf(
    [
      ["agent", { jsonrpc: "2.0", method: "_deep", params: { deep } }],
      ["agent", chunk("\ud800 alone", "s")],
    ],
    { withSecrets: true },
  );
  expect(texts[0]).toBe('"[nested too deep]"');
  expect(texts[1]).toContain("\\ud800 alone");
});
