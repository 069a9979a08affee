// The session as its user saw it after a message.
import type { ShownItem } from "@acp/render";
import { showSession } from "@acp/render/session";
import { expect, test } from "vitest";

import { createInspector } from "../../src/inspector.ts";
import { TraceEntries } from "../../src/web/trace-entries.ts";
import type { Moment } from "../../web/session/moment.ts";
import { Moments } from "../../web/session/moments.ts";
import type { Texts } from "../../web/texts.ts";
import { Trace } from "../../web/trace.ts";
import { call, chunk, openingOf, prompt, type Sent, update } from "./messages.ts";

function momentsOf(messages: readonly Sent[]): {
  readonly moments: Moments;
  readonly trace: Trace;
  readonly fresh: () => Moments;
} {
  const [inspector, entries, trace] = [createInspector(), new TraceEntries(), new Trace()];
  const all = messages.map(([from, message], at) => {
    const { entry, text } = entries.add(inspector.take(from, message, new Date(1_000 + at)), message);
    trace.add(entry);
    return text;
  });
  const texts: Texts = {
    peek: (message) => all[message],
    text: async (message) => all[message] ?? "",
    async *parts() {
      yield { start: 0, texts: all };
    },
  };
  const fresh = (): Moments => new Moments(trace, texts);
  return { moments: fresh(), trace, fresh };
}

/** What a user sees, in words. */
function seen({ state }: Moment): string[] {
  const { timeline } = showSession({ state: state.shown, subscribe: () => () => {} });
  return Array.from({ length: timeline.length }, (_, at) => timeline.at(at)).map(wordsOf);
}

function wordsOf(item: ShownItem | undefined): string {
  switch (item?.kind) {
    case "message":
      return `${item.speaker}: ${item.chunks
        .slice()
        .map((block) => ("text" in block ? block.text : block.type))
        .join("")}`;
    case "call":
      return `${item.call.title}: ${item.call.status}`;
    default:
      return item?.kind ?? "nothing";
  }
}

const toolCall = { toolCallId: "c-1", title: "npm test", kind: "execute", status: "pending" };
const answer = (id: unknown, result: object): object => ({ jsonrpc: "2.0", id, result });
const options = [{ optionId: "yes", name: "Yes", kind: "allow_once" }];
const messages: readonly Sent[] = [
  ...openingOf("s-1"),
  ["client", prompt(2, "s-1")],
  ["agent", chunk("I run ", "s-1")],
  ["agent", chunk("it", "s-1")],
  ["agent", update("s-1", { sessionUpdate: "tool_call", ...toolCall })],
  ["agent", call(7, "session/request_permission", { sessionId: "s-1", toolCall, options })],
  ["client", answer(7, { outcome: { outcome: "selected", optionId: "yes" } })],
  ["agent", call(8, "terminal/create", { sessionId: "s-1", command: "npm", args: ["test"] })],
  ["client", answer(8, { terminalId: "t-1" })],
  ["agent", call(9, "terminal/output", { sessionId: "s-1", terminalId: "t-1" })],
  ["client", answer(9, { output: "1 failed", truncated: false, exitStatus: { exitCode: 1 } })],
  ["agent", update("s-1", { sessionUpdate: "tool_call_update", toolCallId: "c-1", status: "failed" })],
  ["agent", "a log"],
  ["agent", answer(2, { stopReason: "end_turn" })],
];

test("shows the session as it was after a message, with the question that waits and the terminals", async () => {
  const { moments } = momentsOf(messages);
  const at = async (message: number): Promise<Moment> => (await moments.at(message))!.moment;
  expect(seen(await at(5))).toEqual(["user: Fix it", "agent: I run "]);
  expect(seen(await at(14))).toEqual(["user: Fix it", "agent: I run it", "npm test: failed"]);
  const asked = await at(8);
  expect([...asked.questions.keys()]).toEqual(["true 7"]);
  expect(asked.state.ask(asked.questions.get("true 7")?.params)?.options).toMatchObject([{ optionId: "yes" }]);
  const answered = await at(9);
  expect(answered.questions.size).toBe(0);
  expect(answered.answered?.answer.body).toEqual({ outcome: { outcome: "selected", optionId: "yes" } });
  expect((await at(13)).terminals.get("t-1")).toEqual({
    command: "npm test",
    output: "1 failed",
    exit: { exitCode: 1, signal: null },
  });
  expect((await at(14)).cwd).toBe("/project");
  expect((await at(16)).answered).toBeUndefined();
  // `initialize`, and what is no message.
  expect(await moments.at(0)).toBeUndefined();
  expect(await moments.at(15)).toBeUndefined();
});

test("shows a session of version 2", async () => {
  const { moments } = momentsOf([
    ...openingOf("s-1", 2),
    ["client", prompt(2, "s-1")],
    ["agent", answer(2, { messageId: "m-1" })],
    ["agent", update("s-1", { sessionUpdate: "state_update", state: "running" })],
    [
      "agent",
      update("s-1", {
        sessionUpdate: "agent_message_chunk",
        messageId: "m-2",
        content: { type: "text", text: "Done" },
      }),
    ],
    ["agent", update("s-1", { sessionUpdate: "state_update", state: "idle", stopReason: "end_turn" })],
  ]);
  const { moment } = (await moments.at(8))!;
  expect(seen(moment)).toEqual(["user: Fix it", "agent: Done"]);
});

test("is the same wherever one came from, in two sessions that go on side by side", async () => {
  const sessions = ["s-1", "s-2"];
  const long = [
    ...sessions.flatMap((session, at) =>
      openingOf(session)
        .slice(at === 0 ? 0 : 2)
        .map(([from, message]): Sent => [from, { ...Object(message), ...(at === 0 ? {} : { id: 20 }) }]),
    ),
    ...Array.from({ length: 1_500 }, (_, at): readonly Sent[] =>
      sessions.map((session) => [
        "agent",
        at % 7 === 0
          ? update(session, { sessionUpdate: "tool_call", toolCallId: `c${at}`, title: `call ${at}` })
          : chunk(`${at} `, session),
      ]),
    ).flat(),
  ];
  const { moments: jumping, fresh } = momentsOf(long);
  for (const message of [2_900, 100, 2_950, 2_949, 1_700, 3_001, 6, 2_900]) {
    const jumped = (await jumping.at(message))!.moment;
    expect(seen(jumped)).toEqual(seen((await fresh().at(message))!.moment));
    expect(seen(jumped).length).toBeGreaterThan(message > 100 ? 100 : 0);
  }
});

test("forgets what it has kept when the first messages of a live trace are dropped", async () => {
  const { moments, trace } = momentsOf(messages);
  expect(seen((await moments.at(6))!.moment)).toHaveLength(2);
  // The texts stay where they were here, so the numbers of the messages do not fit them: nothing of before is left.
  trace.drop(5);
  expect(seen((await moments.at(0))!.moment)).toEqual([]);
});

test("takes anything for a message", async () => {
  const odd = [
    null,
    1,
    "x",
    [],
    {},
    { sessionUpdate: 5 },
    { sessionUpdate: "tool_call" },
    { sessionUpdate: "agent_message_chunk", content: { type: 1 } },
  ];
  const { moments } = momentsOf([
    ...openingOf("s-1"),
    ...odd.map((of): Sent => [
      "agent",
      { jsonrpc: "2.0", method: "session/update", params: { sessionId: "s-1", update: of } },
    ]),
    ["client", call(3, "session/prompt", { sessionId: "s-1", prompt: "no list" })],
    ["agent", call(4, "session/request_permission", { sessionId: "s-1", options: 1 })],
    ["client", { jsonrpc: "2.0", id: 4, error: "none" }],
    ["agent", { jsonrpc: "2.0", id: 3, result: 7 }],
    ["agent", update("s-1", { sessionUpdate: "agent_message_chunk", content: { type: "text", text: "Hi" } })],
  ]);
  const last = 4 + odd.length + 4;
  for (let message = 4; message <= last; message++) expect(await moments.at(message)).toBeDefined();
  expect(seen((await moments.at(last))!.moment).at(-1)).toBe("agent: Hi");
});
