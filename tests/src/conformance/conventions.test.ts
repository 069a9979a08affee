import { readFileSync } from "node:fs";

import { createAgent } from "@acp/core";
import { diff, sendNotice, sendSessionInfo, sendUsage, startCompaction } from "@acp/core/agent";
import { describe, expect, test } from "vitest";

import { contentBlocks, mcpServers, permissionOptions, updates } from "../support/samples.ts";
import { root } from "./gate/evidence.ts";
import { rawAgent, rawClient, startRawAgent } from "./harness/connect.ts";
import { agentThat, clientWith } from "./harness/definitions.ts";

const done = { stopReason: "end_turn" } as const;

/** All members and constant values of a schema. */
function namesIn(schema: unknown, path = ""): { readonly members: string[]; readonly constants: string[] } {
  const members: string[] = [];
  const constants: string[] = [];
  const walk = (value: unknown): void => {
    if (typeof value !== "object" || value === null) return;
    const { properties, const: constant } = value as { properties?: object; const?: unknown };
    if (typeof constant === "string") constants.push(constant);
    // A member may itself be named `properties`, as in the form of an elicitation; then it holds a schema.
    if (typeof properties === "object" && !("$ref" in properties)) members.push(...Object.keys(properties));
    for (const each of Object.values(value)) walk(each);
  };
  walk(schema);
  expect(members.length + constants.length, path).toBeGreaterThan(100);
  return { members, constants };
}

test.each(["schema.json", "schema.unstable.json"])(
  "CONV-01/both: members of %s are in camelCase, and values that tell variants apart in snake_case",
  (name) => {
    const { members, constants } = namesIn(JSON.parse(readFileSync(`${root}schema/v1/${name}`, "utf8")));
    for (const member of members) expect(member).toMatch(/^(?:_meta|\$?[a-z][a-zA-Z0-9]*)$/u);
    // Formats of strings are named by JSON Schema.
    for (const constant of constants) expect(constant).toMatch(/^(?:date-time|[a-z][a-z0-9]*(?:_[a-z0-9]+)*)$/u);
  },
);

/** Members whose values are of nobody's making but their author's. */
const freeMembers = new Set(["_meta", "rawInput", "rawOutput"]);
/** Members that tell variants apart; what else is a string may be any text. */
const tags = new Set(["sessionUpdate", "type", "kind", "status", "outcome", "stopReason", "severity", "priority"]);

/** Looks at every member of messages, and at every value that tells variants apart. */
function expectNames(value: unknown): void {
  if (typeof value !== "object" || value === null) return;
  for (const [member, held] of Object.entries(value)) {
    if (freeMembers.has(member)) continue;
    if (!Array.isArray(value)) expect(member).toMatch(/^[a-z][a-zA-Z0-9]*$/u);
    if (tags.has(member) && typeof held === "string") expect(held).toMatch(/^[a-z][a-z0-9]*(?:_[a-z0-9]+)*$/u);
    expectNames(held);
  }
}

describe("an agent", () => {
  test.each([
    ["session/new", { cwd: "src", mcpServers: [] }],
    ["session/new", { cwd: "/project", mcpServers: [], additionalDirectories: ["src"] }],
    ["session/new", { cwd: "/project", mcpServers: [{ name: "m", command: "./mcp", args: [], env: [] }] }],
    ["session/load", { sessionId: "s", cwd: "./src", mcpServers: [] }],
    ["session/resume", { sessionId: "s", cwd: "~", mcpServers: [] }],
    ["session/list", { cwd: "src" }],
  ])("CONV-02, CHK-03: answers -32602 to %s with %j", async (method, params) => {
    const handlers = {
      "session/load": () => ({}),
      "session/resume": () => ({}),
      "session/list": () => ({ sessions: [] }),
    };
    const peer = await rawClient(
      agentThat(undefined, handlers, { sessionCapabilities: { additionalDirectories: {} } }),
    );
    await peer.initialize();
    expect((await peer.call(method, params)).error?.code).toBe(-32602);
  });

  test("CONV-01: writes members in camelCase, and values that tell variants apart in snake_case", async () => {
    const peer = await rawClient(
      agentThat(async (_, { turn }) => {
        const compaction = { ...updates["compaction_update"], status: "in_progress" };
        for (const [sessionUpdate, members] of Object.entries({ ...updates, compaction_update: compaction })) {
          await turn.update({ sessionUpdate, ...members } as never);
        }
        await turn.message("text");
        await turn.thought("text");
        await turn.plan([{ content: "a", priority: "low", status: "pending" }]);
        await sendUsage(turn, { used: 1, size: 2 });
        await sendSessionInfo(turn, { title: "T" });
        await sendNotice(turn, { severity: "info", title: "T" });
        await (await startCompaction(turn)).complete();
        const call = await turn.toolCall({
          title: "T",
          kind: "switch_mode",
          content: [diff({ path: "/a", newText: "" })],
        });
        await call.requestPermission(permissionOptions as never);
        await call.complete("text");
        return done;
      }),
    );
    peer.answerAlways({ "session/request_permission": { outcome: { outcome: "cancelled" } } });
    await peer.prompt(await peer.open({ session: { notices: {}, compaction: {}, configOptions: { boolean: {} } } }));
    expect(peer.updates.length).toBeGreaterThan(14);
    expectNames(peer.received);
  });

  test("CONV-02, CONV-03, CHK-03: sends no path that is not absolute, and no line before 1", async () => {
    const problems: unknown[] = [];
    const peer = await rawClient(
      agentThat(async (_, { turn, client }) => {
        const attempts = [
          client.request("fs/read_text_file", { path: "a" }),
          client.request("fs/read_text_file", { path: "/a", line: 0 }),
          client.request("fs/write_text_file", { path: "a", content: "" }),
          client.request("terminal/create", { command: "ls", cwd: "a" }),
          // What is only shown is made right.
          turn.toolCall({ title: "T", content: [{ type: "diff", path: "a", newText: "" }] }),
          turn.toolCall({ title: "T", locations: [{ path: "a" }] }),
          turn.toolCall({ title: "T", locations: [{ path: "/a", line: 0 }] }),
        ];
        for (const { status } of await Promise.allSettled(attempts)) problems.push(status);
        return done;
      }),
    );
    const before = peer.received.length;
    await peer.prompt(await peer.open({ fs: { readTextFile: true, writeTextFile: true }, terminal: true }));
    expect(problems).toEqual([...Array(4).fill("rejected"), ...Array(3).fill("fulfilled")]);
    expect(peer.received.length).toBe(before + 6);
    expect(JSON.stringify(peer.received.slice(before))).not.toMatch(/"path":"[^/]|"line":0/u);
  });

  test.each([-1, 65_536, 1.5, "1", null])("CONV-05: refuses the version %j", async (protocolVersion) => {
    const peer = await rawClient(agentThat());
    expect((await peer.call("initialize", { protocolVersion })).error?.code).toBe(-32602);
  });
});

describe("a client", () => {
  test("CONV-01: writes members in camelCase, and values that tell variants apart in snake_case", async () => {
    const agentCapabilities = {
      mcpCapabilities: { http: true, sse: true },
      promptCapabilities: { image: true, audio: true, embeddedContext: true },
      sessionCapabilities: { additionalDirectories: {} },
    };
    const { peer, agent } = await rawAgent(
      clientWith({ "fs/read_text_file": () => ({ content: "" }) }, { session: { notices: {} } }),
      { initialize: { protocolVersion: 1, agentCapabilities }, "session/prompt": done },
    );
    const opening = { cwd: "/project", mcpServers, additionalDirectories: ["/more"] };
    const session = await agent.newSession(opening as never);
    await session.prompt(Object.values(contentBlocks) as never).response;
    const question = { toolCall: { toolCallId: "c" }, options: permissionOptions };
    await peer.call("session/request_permission", { sessionId: session.id, ...question });
    await peer.call("fs/read_text_file", { sessionId: session.id, path: "/a" });
    expect(peer.received).toHaveLength(5);
    expectNames(peer.received);
  });

  test.each([
    ["CONV-02", "fs/read_text_file", { path: "a" }],
    ["CONV-03", "fs/read_text_file", { path: "/a", line: -1 }],
    ["CONV-02", "fs/write_text_file", { path: "a", content: "" }],
    ["CONV-02", "terminal/create", { command: "ls", cwd: "a" }],
  ])("%s: answers -32602 to %s with %j", async (_rule, method, params) => {
    const empty = () => ({});
    const { peer, agent } = await rawAgent(
      clientWith({
        "fs/read_text_file": () => ({ content: "" }),
        "fs/write_text_file": empty,
        "terminal/create": () => ({ terminalId: "t" }),
        "terminal/output": () => ({ output: "", truncated: false }),
        "terminal/wait_for_exit": empty,
        "terminal/kill": empty,
        "terminal/release": empty,
      }),
    );
    const { id: sessionId } = await agent.newSession({ cwd: "/project" });
    expect((await peer.call(method, { sessionId, ...params })).error?.code).toBe(-32602);
  });

  test("CONV-03: reads line 0 as line 1, for agents that count from 0", async () => {
    const lines: unknown[] = [];
    const { peer, agent } = await rawAgent(
      clientWith({ "fs/read_text_file": ({ line }) => (lines.push(line), { content: "" }) }),
    );
    const { id: sessionId } = await agent.newSession({ cwd: "/project" });
    expect(await peer.call("fs/read_text_file", { sessionId, path: "/a", line: 0 })).toHaveProperty("result");
    expect(lines).toEqual([1]);
  });

  test.each([
    { cwd: "src" },
    { cwd: "/project", additionalDirectories: ["src"] },
    { cwd: "/project", mcpServers: [{ name: "m", command: "mcp", args: [], env: [] }] },
  ])("CONV-02: does not open a session with %j", async (params) => {
    const agentCapabilities = { sessionCapabilities: { additionalDirectories: {} } };
    const { peer, agent } = await rawAgent(clientWith(), { initialize: { protocolVersion: 1, agentCapabilities } });
    await expect(agent.newSession(params)).rejects.toMatchObject({ code: "usage" });
    await peer.settle();
    expect(peer.calls("session/new")).toEqual([]);
  });

  test.each([-1, 65_536, 1.5, "1", null])(
    "CONV-05: leaves an agent that answers version %j",
    async (protocolVersion) => {
      const { peer, agent } = await startRawAgent(clientWith());
      peer.reply(await peer.next("initialize"), { protocolVersion });
      await expect(agent).rejects.toMatchObject({ code: "protocol_violation" });
    },
  );
});

test("CHK-09: session ids may be counted", async () => {
  let count = 0;
  const peer = await rawClient(
    createAgent({
      info: { name: "agent", version: "1.0.0" },
      sessionId: () => `session-${++count}`,
      handlers: { "session/prompt": () => done },
    }),
  );
  expect([await peer.open(), await peer.newSession()]).toEqual(["session-1", "session-2"]);
  expect((await peer.prompt("session-2")).result).toEqual(done);
});
