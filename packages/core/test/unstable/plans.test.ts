import type { PlanUpdateContent, Received, SessionUpdate } from "@acp/schema/v1/unstable";
import { describe, expect, it } from "vitest";
import { createRawPeer, type RawPeer } from "../support/raw-peer.ts";
import type { Diagnostic } from "../../src/base/diagnostics.ts";
import { type AgentTurn, createAgent, createClient } from "../../src/v1/unstable/entry.ts";
import { connected } from "../support/unstable-connected.ts";

const info = { name: "test", version: "1.0.0" };
const entries = [{ content: "Read", priority: "high", status: "in_progress" } as const];
const items: PlanUpdateContent = { type: "items", planId: "a", entries };
const markdown: PlanUpdateContent = { type: "markdown", planId: "b", content: "- [x] Write\n- [ ] Test" };
const file: PlanUpdateContent = { type: "file", planId: "c", uri: "file:///project/plan.md" };
const entry = (content: string, status: string) => ({ content, priority: "medium", status });

/** The updates an agent sends in a turn to a client with these capabilities, as they are on the wire. */
async function sent(clientCapabilities: object, run: (turn: AgentTurn) => Promise<void>, gate?: "diagnose") {
  const updates: SessionUpdate[] = [];
  const diagnostics: Diagnostic[] = [];
  const agent = createAgent({
    info,
    gate,
    onUpdate: (update) => void updates.push(update),
    onDiagnostic: (diagnostic) => void diagnostics.push(diagnostic),
    handlers: {
      "session/prompt": async (_params, { turn }) => {
        await run(turn);
        return { stopReason: "end_turn" };
      },
    },
  });
  const peer: RawPeer = createRawPeer((transport) => agent.connect(transport));
  await peer.call("initialize", { protocolVersion: 1, clientCapabilities });
  const { result } = await peer.call("session/new", { cwd: "/project", mcpServers: [] });
  const { sessionId } = result as { sessionId: string };
  const answer = await peer.call("session/prompt", { sessionId, prompt: [{ type: "text", text: "Go" }] });
  expect(answer["result"]).toEqual({ stopReason: "end_turn" });
  const received = peer.received
    .filter(({ method }) => method === "session/update")
    .map(({ params }) => (params as { update: SessionUpdate }).update);
  // Whoever replays a session replays what was sent.
  expect(updates).toEqual(received);
  await peer.close();
  return { received, diagnostics };
}

describe("turn.planUpdate() and turn.planRemoved()", () => {
  it("send plan operations to a client that advertised plan, in every form (PLAN-09, PLAN-10)", async () => {
    const { received } = await sent({ plan: {} }, async (turn) => {
      for (const plan of [items, markdown, file]) await turn.planUpdate(plan);
      await turn.planRemoved("b", { _meta: { why: "done" } });
    });
    expect(received).toEqual([
      { sessionUpdate: "plan_update", plan: items },
      { sessionUpdate: "plan_update", plan: markdown },
      { sessionUpdate: "plan_update", plan: file },
      { sessionUpdate: "plan_removed", planId: "b", _meta: { why: "done" } },
    ]);
  });

  it("send the plan update to a client that did not, with all plans there are (PLAN-07, PLAN-08)", async () => {
    const { received } = await sent({ plan: null }, async (turn) => {
      await turn.planUpdate(items);
      await turn.planUpdate(markdown);
      await turn.planUpdate({ ...items, entries: [] });
      await turn.planUpdate(file);
      await turn.planRemoved("b");
      await turn.planRemoved("c");
      await turn.planRemoved("a");
    });
    const tasks = [entry("Write", "completed"), entry("Test", "pending")];
    const link = entry("file:///project/plan.md", "pending");
    expect(received.every(({ sessionUpdate }) => sessionUpdate === "plan")).toBe(true);
    expect(received.map((update) => (update as { entries?: unknown }).entries)).toEqual([
      entries,
      [...entries, ...tasks],
      tasks,
      [...tasks, link],
      [link],
      [],
      [],
    ]);
  });

  it("fall back for update as well (PLAN-07, PLAN-08)", async () => {
    const { received } = await sent({}, (turn) =>
      turn.update({ sessionUpdate: "plan_update", plan: items, _meta: { from: "update" } }),
    );
    expect(received).toEqual([{ sessionUpdate: "plan", entries, _meta: { from: "update" } }]);
  });

  it("fall back even where an agent sends an unadvertised plan (PLAN-07, PLAN-08)", async () => {
    const { received, diagnostics } = await sent({}, (turn) => turn.planUpdate(items), "diagnose");
    expect(received).toEqual([{ sessionUpdate: "plan", entries }]);
    expect(diagnostics).toEqual([]);
  });

  it("fall back for a session that is not open here (PLAN-07, PLAN-08)", async () => {
    const agent = createAgent({
      info,
      handlers: {
        "session/prompt": () => ({ stopReason: "end_turn" }),
        "_x/tell": async (_params, { client }) => {
          const update = { sessionUpdate: "plan_update", plan: items } as const;
          await client.notify("session/update", { sessionId: "another", update });
        },
      },
    });
    const peer = createRawPeer((transport) => agent.connect(transport));
    await peer.call("initialize", { protocolVersion: 1 });
    await peer.call("_x/tell", {});
    const tell = peer.received.find(({ method }) => method === "session/update");
    expect(tell?.["params"]).toEqual({ sessionId: "another", update: { sessionUpdate: "plan", entries } });
    await peer.close();
  });

  it("fall back with all plans of a subagent, and only those (PLAN-07, PLAN-08)", async () => {
    const told: { readonly id: string; readonly plan: readonly string[] }[] = [];
    const { agent } = await connected(
      {
        handlers: {
          "session/prompt": async (_params, { turn }) => {
            const [one, other] = [
              await turn.subagent({ sessionId: "one" }),
              await turn.subagent({ sessionId: "other" }),
            ];
            await one.update({ sessionUpdate: "plan_update", plan: items });
            await other.update({ sessionUpdate: "plan_update", plan: file });
            await one.update({ sessionUpdate: "plan_update", plan: markdown });
            await one.update({ sessionUpdate: "plan_removed", planId: "a" });
            return { stopReason: "end_turn" };
          },
        },
      },
      {
        capabilities: { subagents: {} },
        handlers: {
          "session/update": ({ sessionId, update }) => {
            if (update.sessionUpdate === "plan")
              told.push({ id: sessionId, plan: update.entries.map(({ content }) => content) });
          },
        },
      },
    );
    await (await agent.newSession({ cwd: "/project" })).prompt("Go").response;
    // The turn does not wait for what its subagents have said.
    await expect.poll(() => told).toHaveLength(4);
    const plansOf = (wanted: string): unknown => told.filter(({ id }) => id === wanted).map(({ plan }) => plan);
    expect(plansOf("one")).toEqual([["Read"], ["Read", "Write", "Test"], ["Write", "Test"]]);
    expect(plansOf("other")).toEqual([["file:///project/plan.md"]]);
    await agent.close();
  });

  it("reject once the turn has been answered", async () => {
    let kept: AgentTurn | undefined;
    await sent({ plan: {} }, async (turn) => {
      kept = turn;
    });
    await expect(kept?.planUpdate(items)).rejects.toThrow(/turn has been answered/);
  });

  it("are decided for each client of an agent (PLAN-07, PLAN-08)", async () => {
    const agent = createAgent({
      info,
      handlers: {
        "session/prompt": async (_params, { turn }) => {
          await turn.planUpdate(items);
          return { stopReason: "end_turn" };
        },
      },
    });
    const kinds: unknown[] = [];
    for (const clientCapabilities of [{ plan: {} }, {}]) {
      const peer = createRawPeer((transport) => agent.connect(transport));
      await peer.call("initialize", { protocolVersion: 1, clientCapabilities });
      const { result } = await peer.call("session/new", { cwd: "/project", mcpServers: [] });
      await peer.call("session/prompt", { ...(result as object), prompt: [] });
      for (const { method, params } of peer.received) {
        if (method === "session/update") kinds.push((params as { update: SessionUpdate }).update.sessionUpdate);
      }
      await peer.close();
    }
    expect(kinds).toEqual(["plan_update", "plan"]);
  });
});

describe("an earlier draft", () => {
  it("takes the old field from a client and reports it: planCapabilities opens plan operations, which carry both ids", async () => {
    const { received, diagnostics } = await sent({ planCapabilities: {} }, async (turn) => {
      await turn.planUpdate(items);
      await turn.planRemoved("a");
    });
    expect(received).toEqual([
      { sessionUpdate: "plan_update", plan: { ...items, id: "a" } },
      { sessionUpdate: "plan_removed", planId: "a", id: "a" },
    ]);
    expect(diagnostics).toMatchObject([
      { type: "tolerated", method: "initialize", issues: [{ path: ["clientCapabilities", "plan"] }] },
    ]);
  });

  it("ignores planCapabilities with a value that is not a capability", async () => {
    for (const planCapabilities of [false, null, "yes", []]) {
      const { received, diagnostics } = await sent({ planCapabilities }, (turn) => turn.planUpdate(items));
      expect(received).toEqual([{ sessionUpdate: "plan", entries }]);
      expect(diagnostics).toEqual([]);
    }
  });

  it("takes the old field from an agent and reports it: a plan's id is its planId", async () => {
    const updates: Received.SessionUpdate[] = [];
    const diagnostics: Diagnostic[] = [];
    const client = createClient({
      info,
      capabilities: { plan: {} },
      handlers: { "session/update": ({ update }) => void updates.push(update) },
      onDiagnostic: (diagnostic) => void diagnostics.push(diagnostic),
    });
    let connecting: ReturnType<typeof client.connect> | undefined;
    const peer = createRawPeer((transport) => {
      connecting = client.connect(transport);
    });
    const answer = async (method: string, result: object): Promise<void> => {
      const { id } = await peer.next((message) => message["method"] === method);
      peer.send({ jsonrpc: "2.0", id, result });
    };
    await answer("initialize", { protocolVersion: 1 });
    const agent = await connecting;
    const opening = agent?.newSession({ cwd: "/project" });
    await answer("session/new", { sessionId: "s" });
    await opening;
    const tell = (update: object): void =>
      peer.send({ jsonrpc: "2.0", method: "session/update", params: { sessionId: "s", update } });
    const { planId: _, ...older } = markdown;
    tell({ sessionUpdate: "plan_update", plan: { ...older, id: "b" } });
    tell({ sessionUpdate: "plan_removed", id: "b" });
    tell({ sessionUpdate: "plan_removed", planId: "new", id: "old" });
    // No string, so no id.
    tell({ sessionUpdate: "plan_removed", id: 7 });
    await peer.settle();
    expect(updates).toMatchObject([
      { sessionUpdate: "plan_update", plan: { type: "markdown", planId: "b" } },
      { sessionUpdate: "plan_removed", planId: "b" },
      { sessionUpdate: "plan_removed", planId: "new" },
      { received: { sessionUpdate: "plan_removed", id: 7 } },
    ]);
    const tolerated = diagnostics.filter(({ type }) => type === "tolerated");
    expect(tolerated).toMatchObject([
      { issues: [{ action: "replaced", path: ["update", "plan", "planId"] }] },
      { issues: [{ action: "replaced", path: ["update", "planId"] }] },
      { issues: [{ action: "unknown" }] },
    ]);
    await agent?.close();
  });
});

it("plan operations reach a client's turn, with the advertised members", async () => {
  const { agent } = await connected(
    {
      handlers: {
        "session/prompt": async (_params, { turn }) => {
          await turn.planUpdate(file);
          await turn.planRemoved(file.planId);
          return { stopReason: "end_turn" };
        },
      },
    },
    { capabilities: { plan: {} } },
  );
  const session = await agent.newSession({ cwd: "/project" });
  const turn = session.prompt("Go");
  const updates: unknown[] = [];
  for await (const update of turn.updates) updates.push(update);
  expect(updates).toEqual([
    { sessionUpdate: "plan_update", plan: file },
    { sessionUpdate: "plan_removed", planId: "c" },
  ]);
});
