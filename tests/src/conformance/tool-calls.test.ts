import { createSessionState } from "@acp/core/state";
import { describe, expect, test } from "vitest";

import { collect } from "./harness/collect.ts";
import { type RawClient, rawAgent, rawClient } from "./harness/connect.ts";
import { agentThat, clientWith } from "./harness/definitions.ts";
import { referenceAgent, temporaryDirectory } from "./harness/reference.ts";

const done = { stopReason: "end_turn" } as const;
const kinds = [
  "read",
  "edit",
  "delete",
  "move",
  "search",
  "execute",
  "think",
  "fetch",
  "switch_mode",
  "other",
] as const;
const statuses = ["pending", "in_progress", "completed", "failed"] as const;
const content = [
  { type: "content", content: { type: "text", text: "found" } },
  { type: "diff", path: "/project/a", oldText: null, newText: "a" },
  { type: "diff", path: "/project/b", oldText: "a", newText: "b" },
  { type: "terminal", terminalId: "terminal-1" },
] as const;
const anyJson = [null, true, 5, "text", [1, [2]], { a: { b: null } }];

/** The reference agent in a directory of its own, and what it reports of its tools when it is told something. */
async function reported(
  text: string,
  capabilities: object = {},
  prepare: (peer: RawClient) => void = () => {},
): Promise<{ readonly peer: RawClient; readonly calls: RawClient["updates"]; readonly answer: unknown }> {
  const { peer } = referenceAgent();
  await peer.initialize(capabilities);
  prepare(peer);
  const sessionId = await peer.newSession({ cwd: temporaryDirectory() });
  const { result } = await peer.prompt(sessionId, text);
  return { peer, calls: peer.updates.filter(({ toolCallId }) => toolCallId !== undefined), answer: result };
}

const allowing = (peer: RawClient): void =>
  peer.answerAlways({ "session/request_permission": { outcome: { outcome: "selected", optionId: "allow" } } });

describe("an agent", () => {
  test.each([
    ["read notes.txt", "read"],
    ["run node --version", "execute"],
    ["search needle", "search"],
    ["write notes.txt: buy milk", "edit"],
  ])("TOOL-01: reports the tool behind %s", async (text, kind) => {
    const { calls } = await reported(text, {}, allowing);
    expect(calls.find(({ sessionUpdate }) => sessionUpdate === "tool_call")).toMatchObject({ kind });
  });

  test("TOOL-02: gives each call of a session a title and an id of its own", async () => {
    const peer = await rawClient(
      agentThat(async (_, { turn }) => {
        await turn.toolCall({ title: "One" });
        await turn.toolCall({ title: "Two" });
        return done;
      }),
    );
    const sessionId = await peer.open();
    await peer.prompt(sessionId);
    await peer.prompt(sessionId);
    expect(peer.updates.map(({ title }) => title)).toEqual(["One", "Two", "One", "Two"]);
    expect(new Set(peer.updates.map(({ toolCallId }) => toolCallId)).size).toBe(4);
  });

  test("TOOL-03, TOOL-04, TOOL-15: reports each kind and status, and the tool's own name", async () => {
    const peer = await rawClient(
      agentThat(async (_, { turn }) => {
        for (const kind of kinds) await turn.toolCall({ title: "T", kind, name: "tool" });
        for (const status of statuses) await turn.toolCall({ title: "T", status });
        return done;
      }),
    );
    await peer.prompt(await peer.open());
    expect(peer.updates.slice(0, 10)).toMatchObject(kinds.map((kind) => ({ kind, name: "tool" })));
    expect(peer.updates.slice(10)).toMatchObject(statuses.map((status) => ({ status })));
  });

  test("TOOL-05: sends the call and the changed members in an update, nothing else", async () => {
    const peer = await rawClient(
      agentThat(async (_, { turn }) => {
        const call = await turn.toolCall({ title: "Read", toolCallId: "c" });
        await call.update({ title: "Reading" });
        await call.update({ locations: [{ path: "/project/a" }] });
        await call.complete();
        return done;
      }),
    );
    await peer.prompt(await peer.open());
    const head = { sessionUpdate: "tool_call_update", toolCallId: "c" };
    expect(peer.updates.slice(1)).toEqual([
      { ...head, title: "Reading" },
      { ...head, locations: [{ path: "/project/a" }] },
      { ...head, status: "completed" },
    ]);
  });

  test("TOOL-06, PERM-01: asks, then reports in_progress, then completed", async () => {
    const { peer, calls } = await reported("write notes.txt: buy milk", {}, allowing);
    const edit = calls.filter(({ toolCallId }) => toolCallId === calls.at(-1)?.["toolCallId"]);
    expect(edit.map(({ status }) => status)).toEqual(["pending", "in_progress", "completed"]);
    const asked = peer.received.findIndex(({ method }) => method === "session/request_permission");
    const running = peer.received.findIndex(
      ({ params }) => params?.update?.status === "in_progress" && params.update.toolCallId === edit[0]?.["toolCallId"],
    );
    expect(asked).toBeGreaterThan(0);
    expect(running).toBeGreaterThan(asked);
  });

  test("TOOL-07: reports a finished tool as completed or failed, with its output", async () => {
    const peer = await rawClient(
      agentThat(async (_, { turn }) => {
        await (await turn.toolCall({ title: "One" })).complete("found");
        await (await turn.toolCall({ title: "Two" })).fail("not there");
        return done;
      }),
    );
    await peer.prompt(await peer.open());
    const texts = (text: string): object[] => [{ type: "content", content: { type: "text", text } }];
    expect(peer.updates.filter(({ sessionUpdate }) => sessionUpdate === "tool_call_update")).toMatchObject([
      { status: "completed", content: texts("found") },
      { status: "failed", content: texts("not there") },
    ]);
  });

  test("TOOL-07: reports a tool's output when it is completed", async () => {
    const { calls } = await reported("run node --version");
    const brought = calls.flatMap(({ content: items }) => (Array.isArray(items) ? items : []));
    expect(brought).toMatchObject([{ type: "content", content: { text: expect.stringMatching(/^v\d+/u) } }]);
    expect(calls.at(-1)).toMatchObject({ status: "completed" });
  });

  test("TOOL-08: reports a tool that fails as failed, with details, and ends its turn as usual", async () => {
    const { calls, answer } = await reported("read nothing-there.txt");
    expect(calls.at(-1)).toMatchObject({ status: "failed", content: [{ content: { text: expect.any(String) } }] });
    expect(answer).toEqual(done);
  });

  test("TOOL-09: sends content, diffs and terminals, and wraps bare blocks", async () => {
    const peer = await rawClient(
      agentThat(async (_, { turn }) => {
        await turn.toolCall({ title: "T", content: [...content] });
        await turn.toolCall({ title: "T", content: [{ type: "text", text: "bare" }] });
        return done;
      }),
    );
    await peer.prompt(await peer.open());
    expect(peer.updates.map((update) => update["content"])).toEqual([
      content,
      [{ type: "content", content: { type: "text", text: "bare" } }],
    ]);
  });

  test("TOOL-10: names an absolute path in a diff, and null for the text of a file that is new", async () => {
    const { calls } = await reported("write notes.txt: buy milk", {}, allowing);
    expect(calls[0]?.["content"]).toEqual([
      { type: "diff", path: expect.stringMatching(/^\/.*\/notes\.txt$/u), oldText: null, newText: "buy milk\n" },
    ]);
  });

  test.each([
    ["TOOL-10", { content: [{ type: "diff", path: "notes.txt", newText: "" }] }],
    ["TOOL-13", { locations: [{ path: "notes.txt" }] }],
    ["TOOL-13", { locations: [{ path: "./notes.txt", line: 0 }] }],
  ])("%s: sends a path in the session's folder, and no line 0, for %j", async (_rule, parts) => {
    const peer = await rawClient(
      agentThat(async (_, { turn }) => {
        await turn.toolCall({ title: "T", ...parts } as never);
        return done;
      }),
    );
    await peer.prompt(await peer.open());
    const [update] = peer.updates as readonly { content?: object[]; locations?: object[] }[];
    const [shown] = update?.content ?? update?.locations ?? [];
    expect(shown).toMatchObject({ path: expect.stringMatching(/^\/(?:[^.].*\/)?notes\.txt$/u) });
    expect(shown).not.toHaveProperty("line");
  });

  test("TOOL-11: shows a terminal before it releases it", async () => {
    const { peer, calls } = await reported("run node --version", { terminal: true }, (client) =>
      client.answerAlways({
        "terminal/create": { terminalId: "terminal-1" },
        "terminal/wait_for_exit": { exitCode: 0 },
        "terminal/output": { output: "v1\n", truncated: false, exitStatus: { exitCode: 0 } },
        "terminal/release": {},
      }),
    );
    const shown = peer.received.findIndex(({ params }) => params?.update?.content?.[0]?.type === "terminal");
    const released = peer.received.findIndex(({ method }) => method === "terminal/release");
    expect([shown > 0, released > shown]).toEqual([true, true]);
    expect(calls.at(-1)).toMatchObject({ status: "completed" });
  });

  test("TOOL-13: sends locations with an absolute path, with a line or without", async () => {
    const locations = [{ path: "/project/a", line: 1 }, { path: "C:\\project\\b" }];
    const peer = await rawClient(
      agentThat(async (_, { turn }) => {
        await turn.toolCall({ title: "T", locations });
        return done;
      }),
    );
    await peer.prompt(await peer.open());
    expect(peer.updates).toMatchObject([{ locations }]);
  });

  test("TOOL-14: sends any JSON as a tool's input and output", async () => {
    const peer = await rawClient(
      agentThat(async (_, { turn }) => {
        for (const value of anyJson) await turn.toolCall({ title: "T", rawInput: value, rawOutput: value });
        return done;
      }),
    );
    await peer.prompt(await peer.open());
    expect(peer.updates.map(({ rawInput, rawOutput }) => [rawInput, rawOutput])).toEqual(
      anyJson.map((value) => [value, value]),
    );
  });
});

describe("a client", () => {
  test("TOOL-09, TOOL-14: takes all content of tools, and any JSON of theirs, as it is", async () => {
    const { peer, agent, diagnostics } = await rawAgent(clientWith());
    const session = await agent.newSession({ cwd: "/project" });
    const turn = session.prompt("hi");
    const prompt = await peer.next("session/prompt");
    const sent = anyJson.map((value, index) => ({
      sessionUpdate: "tool_call",
      toolCallId: `c${index}`,
      title: "T",
      content,
      rawInput: value,
      rawOutput: value,
    }));
    for (const update of sent) peer.notify("session/update", { sessionId: session.id, update });
    peer.reply(prompt, done);
    expect(await collect(turn.updates)).toEqual(sent);
    // The content shows a terminal that nobody has made.
    expect(diagnostics).toMatchObject([{ type: "rule", rule: "TOOL-11" }]);
  });

  test("TOOL-05: takes the present members of an update, and replaces lists as a whole", async () => {
    const { peer, agent } = await rawAgent(clientWith());
    const session = await agent.newSession({ cwd: "/project" });
    const store = createSessionState(session);
    const call = { toolCallId: "c", title: "Read", kind: "read", status: "pending", content, locations: [] };
    const changes = [
      { status: "in_progress", title: null },
      { content: [content[0]], locations: null },
    ];
    const head = { sessionUpdate: "tool_call", ...call };
    for (const update of [head, ...changes.map((change) => ({ sessionUpdate: "tool_call_update", ...change }))]) {
      peer.notify("session/update", { sessionId: session.id, update: { toolCallId: "c", ...update } });
    }
    await peer.settle();
    expect([...store.state.timeline]).toMatchObject([
      { type: "tool_call", ...call, status: "in_progress", content: [content[0]] },
    ]);
  });
});
