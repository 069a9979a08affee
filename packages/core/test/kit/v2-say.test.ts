// What an agent of version 2 says in one line.
import type { Received } from "@acp/schema/v2";
import { describe, expect, it } from "vitest";
import {
  createPlan,
  embeddedFile,
  image,
  resourceLink,
  sendNotice,
  sendSessionInfo,
  sendToolCall,
  sendUsage,
  startCompaction,
  text,
  userMessage,
} from "../../src/kit/v2/entry.ts";
import { connect } from "../../src/kit/v2/testing/connected.ts";

describe("userMessage()", () => {
  it("replays a message of the user whole, under its id or one of its own", async () => {
    const handlers = {
      "session/resume": async (_: unknown, { session }: { session: Parameters<typeof userMessage>[0] }) => {
        await userMessage(session, [text("Look at "), resourceLink("file:///project/a.ts", "a.ts")], {
          messageId: "m1",
        });
        await userMessage(session, "Thanks", { _meta: { from: "log" } });
      },
    };
    const { agent, updates } = await connect({ handlers });
    await agent.resumeSession({ sessionId: "old", cwd: "/project", replayFrom: { type: "start" } });
    expect(updates).toEqual([
      {
        sessionUpdate: "user_message",
        messageId: "m1",
        content: [
          { type: "text", text: "Look at " },
          { type: "resource_link", uri: "file:///project/a.ts", name: "a.ts" },
        ],
      },
      {
        sessionUpdate: "user_message",
        messageId: expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
        content: [{ type: "text", text: "Thanks" }],
        _meta: { from: "log" },
      },
    ]);
  });
});

describe("content blocks", () => {
  it("arrive as the protocol has them", async () => {
    const { turn, updates } = await connect();
    await turn(async (agentTurn) => {
      for (const block of [
        embeddedFile({ uri: "file:///project/a.md", mimeType: "text/markdown", text: "# A" }),
        embeddedFile({ uri: "file:///project/a.bin", data: new Uint8Array([0, 255]) }),
        image("AA==", "image/png"),
      ])
        await agentTurn.message(block);
    });
    expect(updates.map((update) => "content" in update && update.content)).toEqual([
      { type: "resource", resource: { uri: "file:///project/a.md", mimeType: "text/markdown", text: "# A" } },
      { type: "resource", resource: { uri: "file:///project/a.bin", blob: "AP8=" } },
      { type: "image", data: "AA==", mimeType: "image/png" },
    ]);
  });
});

describe("sendToolCall()", () => {
  it("reports a call under an id of the agent's from its beginning to its end, in a turn and after it", async () => {
    const { turn, updates } = await connect();
    const session = await turn(async (agentTurn) => {
      await sendToolCall(agentTurn, { toolCallId: "1", title: "Search", kind: "search", status: "pending" });
      await sendToolCall(agentTurn, { toolCallId: "1", status: "in_progress", content: "Found", locations: null });
      return agentTurn.session;
    });
    await sendToolCall(session, { toolCallId: "1", status: "completed", content: null });
    await expect.poll(() => updates.length).toBe(3);
    expect(updates).toEqual([
      { sessionUpdate: "tool_call_update", toolCallId: "1", title: "Search", kind: "search", status: "pending" },
      {
        sessionUpdate: "tool_call_update",
        toolCallId: "1",
        status: "in_progress",
        locations: null,
        content: [{ type: "content", content: { type: "text", text: "Found" } }],
      },
      { sessionUpdate: "tool_call_update", toolCallId: "1", status: "completed", content: null },
    ]);
  });

  it("lets the client cancel one that says so, and the agent hear of it", async () => {
    const cancelled: string[] = [];
    const handlers = {
      "tool_call/cancel": ({ toolCallId }: { toolCallId: string }) => void cancelled.push(toolCallId),
    };
    const { turn, session } = await connect({ handlers });
    await turn((agentTurn) =>
      sendToolCall(agentTurn, { toolCallId: "own", title: "Wait", capabilities: { cancel: {} } }),
    );
    await session.agent.request("tool_call/cancel", { toolCallId: "own" });
    expect(cancelled).toEqual(["own"]);
  });
});

/** Plans as they were sent, in short. */
const plans = (updates: readonly Received.SessionUpdate[]): unknown[] =>
  updates.map((update) =>
    update.sessionUpdate === "plan_update" && update.plan.type === "items"
      ? update.plan.entries.map(({ content, priority, status }) => `${content} ${priority} ${status}`)
      : update,
  );

describe("createPlan()", () => {
  it("sends the whole plan with each change, under the id of the turn's plan", async () => {
    const { turn, updates } = await connect();
    await turn(async (agentTurn) => {
      const plan = await createPlan(agentTurn, ["a", { content: "b", priority: "high" }]);
      await plan.start(0);
      await plan.change(0, { status: "cancelled" });
      await plan.add("first", 0);
      await plan.next();
      await plan.remove(1);
      expect(plan.entries).toHaveLength(2);
    });
    expect(plans(updates)).toEqual([
      ["a medium pending", "b high pending"],
      ["a medium in_progress", "b high pending"],
      ["a medium cancelled", "b high pending"],
      ["first medium pending", "a medium cancelled", "b high pending"],
      ["first medium in_progress", "a medium cancelled", "b high pending"],
      ["first medium in_progress", "b high pending"],
    ]);
    const ids = updates.map((update) => "plan" in update && "planId" in update.plan && update.plan.planId);
    expect(new Set(ids)).toEqual(new Set([expect.any(String)]));
  });

  it("keeps several plans apart by their ids", async () => {
    const { turn, updates } = await connect();
    await turn(async (agentTurn) => {
      const tests = await createPlan(agentTurn, ["Test"], { planId: "tests" });
      await createPlan(agentTurn, ["Release"], { planId: "release", _meta: { by: "us" } });
      await tests.complete(0);
    });
    expect(updates).toMatchObject([
      { plan: { planId: "tests" } },
      { plan: { planId: "release" }, _meta: { by: "us" } },
      { plan: { planId: "tests", entries: [{ status: "completed" }] } },
    ]);
  });

  it("refuses a step that there is not, and a plan of a turn that is over", async () => {
    const { turn, updates } = await connect();
    const plan = await turn(async (agentTurn) => {
      const made = await createPlan(agentTurn, ["a"]);
      await expect(made.start(1)).rejects.toMatchObject({ code: "usage" });
      return made;
    });
    await expect(plan.start(0)).rejects.toThrow(/turn has ended/);
    expect(updates).toHaveLength(1);
  });
});

describe("news of a session", () => {
  it("take a line each, in a turn or between turns", async () => {
    const { turn, updates } = await connect();
    const session = await turn(async (agentTurn) => {
      await sendUsage(agentTurn, { used: 10, size: 100, cost: { amount: 0.5, currency: "EUR" } });
      await sendNotice(agentTurn, { severity: "warning", title: "Slow" });
      return agentTurn.session;
    });
    await sendSessionInfo(session, { title: "A title", updatedAt: null });
    await expect.poll(() => updates.length).toBe(3);
    expect(updates).toEqual([
      { sessionUpdate: "usage_update", used: 10, size: 100, cost: { amount: 0.5, currency: "EUR" } },
      { sessionUpdate: "notice", severity: "warning", title: "Slow" },
      { sessionUpdate: "session_info_update", title: "A title", updatedAt: null },
    ]);
  });

  it("are refused by a turn that is over", async () => {
    const { turn } = await connect();
    const [late] = await turn((agentTurn) => Promise.resolve([agentTurn] as const));
    await expect(sendNotice(late, { severity: "info", title: "Hi" })).rejects.toMatchObject({ code: "usage" });
    await expect(sendUsage(late, { used: 1, size: 2 })).rejects.toMatchObject({ code: "usage" });
    await expect(userMessage(late, "Hi")).rejects.toMatchObject({ code: "usage" });
    await expect(sendToolCall(late, { toolCallId: "1" })).rejects.toMatchObject({ code: "usage" });
    await expect(startCompaction(late)).rejects.toMatchObject({ code: "usage" });
  });
});

describe("startCompaction()", () => {
  it("keeps one id from the first update to the one that ends it", async () => {
    const { turn, updates } = await connect();
    await turn(async (agentTurn) => {
      const compaction = await startCompaction(agentTurn);
      await compaction.chunk("Once ");
      await compaction.complete([text("In short"), resourceLink("file:///project/log", "log")]);
      await expect(compaction.fail("twice")).rejects.toMatchObject({ code: "usage" });
      await (await startCompaction(agentTurn)).fail("No memory");
    });
    const ids = updates.map((update) => ("compactionId" in update ? update.compactionId : undefined));
    expect([...new Set(ids)]).toEqual([ids[0], ids[3]]);
    expect(updates).toMatchObject([
      { sessionUpdate: "compaction_update", status: "in_progress" },
      { sessionUpdate: "compaction_summary_chunk", content: { text: "Once " } },
      { status: "completed", summary: [{ text: "In short" }, { type: "resource_link" }] },
      { sessionUpdate: "compaction_update", status: "in_progress" },
      { sessionUpdate: "compaction_update", status: "failed", error: "No memory" },
    ]);
  });
});
