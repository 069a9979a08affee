// What the page knows of a trace, and its filter and search.
import { expect, test } from "vitest";

import { createInspector } from "../../src/inspector.ts";
import { TraceColumns } from "../../src/web/trace-columns.ts";
import { TraceEntries } from "../../src/web/trace-entries.ts";
import { parseFilter } from "../../web/filter.ts";
import { search } from "../../web/search.ts";
import type { Texts } from "../../web/texts.ts";
import { Trace } from "../../web/trace.ts";
import { call, chunk, openingOf, prompt, type Sent, update } from "./messages.ts";

const messages: readonly Sent[] = [
  ...openingOf("s-1"),
  ["client", prompt(2, "s-1")],
  ["agent", chunk("I run the fir", "s-1")],
  ["agent", chunk('st test of "all"', "s-1")],
  ["agent", chunk(".", "s-1")],
  ["agent", update("s-1", { sessionUpdate: "tool_call", toolCallId: "c-1", title: "npm test", status: "running" })],
  ["agent", call("r", "fs/read_text_file", { sessionId: "s-1", path: "/a" })],
  ["client", { jsonrpc: "2.0", id: "r", result: { content: "first" } }],
  ["agent", { jsonrpc: "2.0", id: 2, result: { stopReason: "end_turn" } }],
  ["client", prompt(3, "s-1")],
  ["agent", "a log"],
];

function take(): { readonly ofIndex: Trace; readonly live: Trace; readonly texts: string[] } {
  const [inspector, entries, columns, live] = [createInspector(), new TraceEntries(), new TraceColumns(), new Trace()];
  const texts = messages.map(([from, message], at) => {
    const { entry, text } = entries.add(inspector.take(from, message, new Date(1_000 + 500 * at)), message);
    columns.add(entry);
    live.add(entry);
    return text;
  });
  const index = columns.index({ title: "", chunks: [0], withSecrets: false, withoutText: false });
  return { ofIndex: Trace.of(JSON.parse(JSON.stringify(index))), live, texts };
}

/** What can be seen of a trace. */
function seen(trace: Trace): unknown {
  return Array.from({ length: trace.count }, (_, at) => [
    trace.times[at],
    trace.kindOf(at),
    trace.isOfAgent(at),
    trace.nameOf(at),
    trace.sessionOf(at),
    trace.turn[at],
    trace.tools[(trace.tool[at] ?? 0) - 1],
    trace.id[at],
    trace.partner[at],
    trace.tookOf(at),
    trace.findings.get(at),
    trace.rowOf(at),
  ]);
}

test("a trace from the columns of a file is the same as a live one", () => {
  const { ofIndex, live } = take();
  expect(seen(ofIndex)).toEqual(seen(live));
  expect(live.rows).toEqual([0, 1, 2, 3, 4, 5, 8, 9, 10, 11, 12, 13]);
  expect([live.partner[4], live.tookOf(11), live.isOpen(12), live.isOpen(4)]).toEqual([11, 3_500, true, false]);
});

test("a trace that drops its first messages keeps what belongs together", () => {
  const { live } = take();
  live.drop(6);
  expect([live.dropped, live.count, live.rows]).toEqual([6, 8, [0, 2, 3, 4, 5, 6, 7]]);
  // The prompt is gone, the request of the agent is not.
  expect([live.partner[5], live.partner[3], live.partner[4]]).toEqual([-1, 4, 3]);
  expect([live.isWrong(2), live.nameOf(2)]).toEqual([true, "session/update tool_call"]);
  live.drop(8);
  expect([live.dropped, live.count, live.rows]).toEqual([14, 0, []]);
});

test.each([
  ["wrong", [8, 13]],
  ["method:read", [9, 10]],
  ["from:client kind:request", [0, 2, 4, 12]],
  ["session:s-1 turn:1 from:client", [4, 10]],
  ["tool:NPM", [8]],
  ["tool:c-1", [8]],
  ["slow:>1s", [4, 11]],
  ["slow:>1s from:agent", [11]],
  ["slow:<600ms kind:result", [1, 3, 10]],
  ["open", [12]],
  ["id:r", [9, 10]],
  ["id:2", [4, 11]],
  ["turn:1 turn:2", []],
  ["slow", []],
])("the filter %s shows some messages", (query, expected) => {
  const { ofIndex } = take();
  const { test: isShown, text } = parseFilter(query, ofIndex);
  expect(text).toBe("");
  expect(ofIndex.rows.filter(isShown)).toEqual(expected);
});

test.each([
  ["wrong first test", "first test"],
  ['"wrong" turn:', "wrong turn:"],
  ["session:", "session:"],
  ["slow:soon", "slow:soon"],
  ['"two words" x', "two words x"],
  ["http://a", "http://a"],
])("the filter %s searches for %s", (query, text) => {
  expect(parseFilter(query, take().ofIndex).text).toBe(text);
});

test.each([
  ["first test", [5]],
  ['of "ALL".', [5]],
  ["first", [5, 10]],
  ['"path":"/a"', [9]],
  ["nowhere", []],
])("a search for %s finds rows, also in a text that came in chunks", async (wanted, expected) => {
  const { ofIndex, texts } = take();
  // In parts that cut the text.
  const source: Pick<Texts, "parts"> = {
    async *parts() {
      for (let start = 0; start < texts.length; start += 3) yield { start, texts: texts.slice(start, start + 3) };
    },
  };
  const found: number[] = [];
  const about = { trace: ofIndex, texts: source as Texts, isWanted: () => true };
  await search(wanted, about, (rows) => found.push(...rows), new AbortController().signal);
  expect(found).toEqual(expected);
});

test("a search ends when it is stopped, and tells how far it is", async () => {
  const { ofIndex, texts } = take();
  let read = 0;
  const source: Pick<Texts, "parts"> = {
    async *parts() {
      for (const [start, text] of texts.entries()) {
        read += 1;
        yield { start, texts: [text] };
      }
    },
  };
  const stop = new AbortController();
  const done: number[] = [];
  const about = { trace: ofIndex, texts: source as Texts, isWanted: () => true };
  await search(
    "x",
    about,
    (_, part) => {
      done.push(part);
      if (done.length === 2) stop.abort();
    },
    stop.signal,
  );
  expect([done, read]).toEqual([[1 / 14, 2 / 14], 3]);
});
