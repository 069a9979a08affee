// All that is unstable in version 1, between two processes.
import { type ClientSession, createClient, type Diagnostic } from "@acp/core/unstable";
import { spawnAgent } from "@acp/node";
import type { Received } from "@acp/schema/v1/unstable";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

const program = fileURLToPath(new URL("programs/agent.ts", import.meta.url));
const diagnostics: Diagnostic[] = [];
const told: unknown[] = [];
const client = createClient({
  info: { name: "unstable-client", version: "1.0.0" },
  capabilities: { plan: {}, subagents: {} },
  handlers: {
    "session/update": ({ update }, { session }) => void told.push([session.id, update.sessionUpdate]),
    "session/request_permission": (_params, { session }) => {
      told.push([session.id, "permission"]);
      return { outcome: { outcome: "selected", optionId: "allow" } };
    },
    "mcp/message": async ({ serverId, requestId, method }, { agent: asking }) => {
      await asking.notify("mcp/message", { serverId, requestId, method: "notifications/progress" });
      return { result: { asked: method } };
    },
    "auth/status_update": ({ state }) => void told.push(state),
  },
  onDiagnostic: (diagnostic) => diagnostics.push(diagnostic),
});
const start = () => spawnAgent(client, { command: process.execPath, args: [program] });
let agent: Awaited<ReturnType<typeof start>>;
beforeAll(async () => {
  agent = await start();
});
afterAll(async () => {
  await agent.close();
  expect(diagnostics).toEqual([]);
});

async function run(session: ClientSession, text: string): Promise<Received.SessionUpdate[]> {
  const turn = session.prompt(text);
  const updates: Received.SessionUpdate[] = [];
  for await (const update of turn.updates) updates.push(update);
  const { stopReason, usage } = await turn.response;
  expect([stopReason, usage?.totalTokens]).toEqual(["end_turn", 3]);
  return updates;
}

const saidIn = (updates: readonly Received.SessionUpdate[]): unknown[] =>
  updates.flatMap((update) =>
    update.sessionUpdate === "agent_message_chunk" && update.content.type === "text" ? [update.content.text] : [],
  );

describe("an unstable client with an unstable agent", () => {
  test("knows the agent's capabilities", () => {
    expect(agent.capabilities).toEqual({
      mcpCapabilities: { acp: true },
      auth: { status: {} },
      providers: {},
      sessionCapabilities: {
        systemPrompt: { mode: { override: {} } },
        fork: {},
        close: {},
        status: {},
        title: {},
        archive: {},
        list: {},
      },
    });
  });

  test("forks a session: the history is its own from there on, and its updates are kept for it", async () => {
    const systemPrompt = { mode: "append", content: [{ type: "text" as const, text: "Be brief." }] };
    const session = await agent.newSession({ cwd: "/project", systemPrompt });
    expect(saidIn(await run(session, "one"))).toEqual(['["append: Be brief.","one"]']);
    await session.agent.request("session/set_title", { title: "First" });
    const fork = await agent.forkSession({ cwd: "/project", sessionId: session.id });
    const updates: unknown[] = [];
    const reading = (async () => {
      for await (const update of fork.updates) updates.push(update);
    })();
    expect(saidIn(await run(fork, "two"))).toEqual(['[null,"one","two"]']);
    expect(saidIn(await run(session, "three"))).toEqual(['["append: Be brief.","one","three"]']);
    await fork.close();
    await reading;
    expect(updates[0]).toEqual({ sessionUpdate: "session_info_update", title: "First, forked" });
    expect(await agent.request("session/status", { sessionId: fork.id })).toEqual({ status: "saved" });
    expect(await session.agent.request("session/status", {})).toEqual({ status: "open" });
    expect(await agent.request("session/status", { sessionId: "nobody's" })).toEqual({ status: "_unknown" });
  });

  test("archives a session and takes it out again", async () => {
    const { id: sessionId } = await agent.newSession({ cwd: "/project" });
    const isArchived = async (): Promise<unknown> => {
      const { sessions } = await agent.request("session/list", { archived: "include" });
      return sessions.find((session) => session.sessionId === sessionId)?.archived;
    };
    await agent.request("session/archive", { sessionId });
    expect(await isArchived()).toBe(true);
    await agent.request("session/unarchive", { sessionId });
    expect(await isArchived()).toBe(false);
  });

  test("receives plans by their ids (PLAN-09, PLAN-10)", async () => {
    const session = await agent.newSession({ cwd: "/project" });
    expect(await run(session, "plan")).toEqual([
      {
        sessionUpdate: "plan_update",
        plan: {
          type: "items",
          planId: "a",
          entries: [{ content: "Read", priority: "high", status: "completed" }],
        },
      },
      { sessionUpdate: "plan_update", plan: { type: "markdown", planId: "b", content: "- [x] Write\n- [ ] Test" } },
      { sessionUpdate: "plan_update", plan: { type: "file", planId: "c", uri: "file:///project/plan.md" } },
      { sessionUpdate: "plan_removed", planId: "a" },
    ]);
  });

  test("follows a subagent in a session of its own", async () => {
    const session = await agent.newSession({ cwd: "/project" });
    told.length = 0;
    const updates = await run(session, "subagent");
    const [first, last] = updates.flatMap((update) => (update.sessionUpdate === "subagent_update" ? [update] : []));
    expect([first?.title, first?.state, last?.state]).toEqual([
      "Search",
      { state: "running" },
      { state: "idle", stopReason: "end_turn" },
    ]);
    expect(saidIn(updates)).toEqual(["allow"]);
    const id = first?.sessionId ?? "";
    expect(told.filter((entry) => Array.isArray(entry) && entry[0] === id)).toEqual([
      [id, "agent_message_chunk"],
      [id, "permission"],
    ]);
    expect(agent.session(id)?.cwd).toBe("/project");
    await session.close();
    expect(agent.session(id)).toBeUndefined();
  });

  test("runs MCP servers for the agent", async () => {
    const mcpServers = [{ type: "acp", serverId: "tools", name: "Tools" } as const];
    const session = await agent.newSession({ cwd: "/project", mcpServers });
    expect(saidIn(await run(session, "mcp"))).toEqual([
      JSON.stringify([{ result: { asked: "tools/list" } }, ["tools 1 notifications/progress"]]),
    ]);
  });

  test("asks for the login and for providers, and receives changes", async () => {
    expect(await agent.request("auth/status", {})).toEqual({
      state: "authenticated",
      accounts: [{ label: "me", active: true }],
    });
    const session = await agent.newSession({ cwd: "/project" });
    told.length = 0;
    await run(session, "login");
    expect(told).toEqual(["unauthenticated"]);
    const current = async (): Promise<unknown> => (await agent.request("providers/list", {})).providers[0]?.current;
    expect(await current()).toEqual({ apiType: "anthropic", baseUrl: "https://models.example" });
    await agent.request("providers/disable", { providerId: "main" });
    expect(await current()).toBeNull();
    await agent.request("providers/set", { providerId: "main", apiType: "_acme", baseUrl: "https://other.example" });
    expect(await current()).not.toBeNull();
  });
});

test("a stable client gets the one plan that it knows (PLAN-07, PLAN-08)", async () => {
  const plain = createClient({ info: { name: "plain", version: "1.0.0" } });
  const other = await spawnAgent(plain, { command: process.execPath, args: [program] });
  try {
    const updates = await run(await other.newSession({ cwd: "/project" }), "plan");
    expect(updates.map(({ sessionUpdate }) => sessionUpdate)).toEqual(["plan", "plan", "plan", "plan"]);
    expect(updates.at(-1)).toEqual({
      sessionUpdate: "plan",
      entries: [
        { content: "Write", priority: "medium", status: "completed" },
        { content: "Test", priority: "medium", status: "pending" },
        { content: "file:///project/plan.md", priority: "medium", status: "pending" },
      ],
    });
  } finally {
    await other.close();
  }
});
