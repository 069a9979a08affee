import { readFileSync } from "node:fs";

import { createAgent } from "@acp/core";
import { describe, expect, test } from "vitest";

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
  "CONV-01: members of %s are in camelCase, and values that tell variants apart in snake_case",
  (name) => {
    const { members, constants } = namesIn(JSON.parse(readFileSync(`${root}schema/v1/${name}`, "utf8")));
    for (const member of members) expect(member).toMatch(/^(?:_meta|\$?[a-z][a-zA-Z0-9]*)$/u);
    // Formats of strings are named by JSON Schema.
    for (const constant of constants) expect(constant).toMatch(/^(?:date-time|[a-z][a-z0-9]*(?:_[a-z0-9]+)*)$/u);
  },
);

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

  test("CONV-02, CONV-03, CHK-03: sends no path that is not absolute, and no line before 1", async () => {
    const problems: unknown[] = [];
    const peer = await rawClient(
      agentThat(async (_, { turn, client }) => {
        const attempts = [
          client.request("fs/read_text_file", { path: "a" }),
          client.request("fs/read_text_file", { path: "/a", line: 0 }),
          client.request("fs/write_text_file", { path: "a", content: "" }),
          client.request("terminal/create", { command: "ls", cwd: "a" }),
          turn.toolCall({ title: "T", content: [{ type: "diff", path: "a", newText: "" }] }),
          turn.toolCall({ title: "T", locations: [{ path: "a" }] }),
          turn.toolCall({ title: "T", locations: [{ path: "/a", line: 0 }] }),
        ];
        for (const { status } of await Promise.allSettled(attempts)) problems.push(status);
        return done;
      }),
    );
    const before = peer.messages.length;
    await peer.prompt(await peer.open({ fs: { readTextFile: true, writeTextFile: true }, terminal: true }));
    expect(problems).toEqual(Array.from({ length: 7 }, () => "rejected"));
    expect(peer.messages.length).toBe(before + 3);
  });

  test.each([-1, 65_536, 1.5, "1", null])("CONV-05: refuses the version %j", async (protocolVersion) => {
    const peer = await rawClient(agentThat());
    expect((await peer.call("initialize", { protocolVersion })).error?.code).toBe(-32602);
  });
});

describe("a client", () => {
  test.each([
    ["fs/read_text_file", { path: "a" }],
    ["fs/read_text_file", { path: "/a", line: 0 }],
    ["fs/write_text_file", { path: "a", content: "" }],
    ["terminal/create", { command: "ls", cwd: "a" }],
  ])("CONV-02, CONV-03: answers -32602 to %s with %j", async (method, params) => {
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
      peer.answer(await peer.next("initialize"), { protocolVersion });
      await expect(agent).rejects.toMatchObject({ code: "protocol_violation" });
    },
  );
});

test("CHK-09: session ids may be counted, and a client does not look into them", async () => {
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
