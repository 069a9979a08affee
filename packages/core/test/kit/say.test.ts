import type { Received } from "@acp/schema/v1";
import { describe, expect, it } from "vitest";
import { connect } from "../../src/kit/v1/testing/connected.ts";
import {
  audio,
  createPlan,
  diff,
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
} from "../../src/kit/v1/entry.ts";

const kinds = (updates: readonly Received.SessionUpdate[]): unknown[] => updates.map((update) => update.sessionUpdate);

describe("userMessage()", () => {
  it("replays a message of the user, with one id for all its blocks (UPD-04/agent)", async () => {
    const handlers = {
      "session/load": async (_: unknown, { session }: { session: Parameters<typeof userMessage>[0] }) => {
        await userMessage(session, [text("Look at "), resourceLink("file:///project/a.ts", "a.ts")]);
        await userMessage(session, "Thanks");
      },
    };
    const { agent, updates } = await connect({ handlers });
    await agent.loadSession({ sessionId: "old", cwd: "/project" });
    expect(updates).toMatchObject([
      { sessionUpdate: "user_message_chunk", content: { type: "text", text: "Look at " } },
      { sessionUpdate: "user_message_chunk", content: { type: "resource_link", name: "a.ts" } },
      { sessionUpdate: "user_message_chunk", content: { type: "text", text: "Thanks" } },
    ]);
    const ids = updates.map((update) => ("messageId" in update ? update.messageId : undefined));
    expect(ids[0]).toBeTypeOf("string");
    expect([ids[0] === ids[1], ids[1] === ids[2]]).toEqual([true, false]);
  });
});

describe("content blocks", () => {
  it("carry bytes as base64, however many", async () => {
    const bytes = Uint8Array.from({ length: 100_000 }, (_, index) => index % 251);
    const { data } = image(bytes, "image/png");
    expect(Uint8Array.from(atob(data), (character) => character.charCodeAt(0))).toEqual(bytes);
    expect(audio("AAAA", "audio/wav")).toEqual({ type: "audio", data: "AAAA", mimeType: "audio/wav" });
  });

  it("arrive as the protocol has them (UPD-03)", async () => {
    const { turn, updates } = await connect();
    const file = embeddedFile({ uri: "file:///project/a.md", mimeType: "text/markdown", text: "# A" });
    const binary = embeddedFile({ uri: "file:///project/a.bin", data: new Uint8Array([0, 255]) });
    await turn(async (agentTurn) => {
      for (const block of [file, binary, image("AA==", "image/png")]) await agentTurn.message(block);
    });
    expect(updates.map((update) => "content" in update && update.content)).toEqual([
      { type: "resource", resource: { uri: "file:///project/a.md", mimeType: "text/markdown", text: "# A" } },
      { type: "resource", resource: { uri: "file:///project/a.bin", blob: "AP8=" } },
      { type: "image", data: "AA==", mimeType: "image/png" },
    ]);
  });
});

describe("diff()", () => {
  it("shows a change, without an old text for a new file (TOOL-10)", async () => {
    const { turn, updates } = await connect();
    await turn(async (agentTurn) => {
      const call = await agentTurn.toolCall({ title: "Edit", kind: "edit" });
      await call.complete([diff({ path: "/project/new", newText: "b" })]);
      await call.update({ content: [diff({ path: "/project/old", oldText: "a", newText: "b" })] });
    });
    expect(updates.slice(1)).toMatchObject([
      { status: "completed", content: [{ type: "diff", path: "/project/new", oldText: null, newText: "b" }] },
      { content: [{ type: "diff", path: "/project/old", oldText: "a", newText: "b" }] },
    ]);
  });

  it("of a relative path is one of a file in the session's folder (TOOL-10)", async () => {
    const { turn, updates } = await connect();
    await turn(async (agentTurn) => {
      await agentTurn.toolCall({ title: "Edit", content: [diff({ path: "./new", newText: "b" })] });
    });
    expect(updates).toMatchObject([{ content: [{ type: "diff", path: "/project/new", newText: "b" }] }]);
  });
});

describe("sendToolCall()", () => {
  it("reports an id as new once, then its changes (TOOL-02, TOOL-05/agent)", async () => {
    const { turn, updates } = await connect();
    await turn(async (agentTurn) => {
      // At once, as the events of a model may come.
      await Promise.all([
        sendToolCall(agentTurn, { toolCallId: "1", title: "Search", kind: "search", status: "pending" }),
        sendToolCall(agentTurn, { toolCallId: "1", status: "completed", content: "Found", rawOutput: { count: 1 } }),
      ]);
    });
    // In a later turn, too.
    await turn((agentTurn) => sendToolCall(agentTurn, { toolCallId: "1", title: "Searched" }));
    expect(updates).toEqual([
      { sessionUpdate: "tool_call", toolCallId: "1", title: "Search", kind: "search", status: "pending" },
      {
        sessionUpdate: "tool_call_update",
        toolCallId: "1",
        status: "completed",
        content: [{ type: "content", content: { type: "text", text: "Found" } }],
        rawOutput: { count: 1 },
      },
      { sessionUpdate: "tool_call_update", toolCallId: "1", title: "Searched" },
    ]);
  });

  it("needs a title for a new one, and forgets one that could not be sent", async () => {
    const { turn, updates } = await connect();
    await turn(async (agentTurn) => {
      await expect(sendToolCall(agentTurn, { toolCallId: "2", status: "pending" })).rejects.toThrow(/needs a title/);
      const wrong = { toolCallId: "2", title: "Read", rawInput: 1n };
      await expect(sendToolCall(agentTurn, wrong)).rejects.toThrow(/cannot be written/);
      await sendToolCall(agentTurn, { toolCallId: "2", title: "Read" });
    });
    expect(kinds(updates)).toEqual(["tool_call"]);
  });
});

describe("createPlan()", () => {
  it("sends the whole plan with each change (PLAN-02, PLAN-04, PLAN-05, PLAN-06)", async () => {
    const { turn, updates } = await connect();
    await turn(async (agentTurn) => {
      const plan = await createPlan(agentTurn, ["a", { content: "b", priority: "high" }]);
      await plan.start(0);
      await plan.complete(0);
      await plan.add("c");
      await plan.add("first", 0);
      await plan.remove(1);
      await plan.change(1, { content: "B" });
      expect(plan.entries).toHaveLength(3);
    });
    const sent = updates.map((update) =>
      update.sessionUpdate === "plan"
        ? update.entries.map(({ content, priority, status }) => `${content} ${priority} ${status}`)
        : update,
    );
    expect(sent).toEqual([
      ["a medium pending", "b high pending"],
      ["a medium in_progress", "b high pending"],
      ["a medium completed", "b high pending"],
      ["a medium completed", "b high pending", "c medium pending"],
      ["first medium pending", "a medium completed", "b high pending", "c medium pending"],
      ["first medium pending", "b high pending", "c medium pending"],
      ["first medium pending", "B high pending", "c medium pending"],
    ]);
  });

  it("next() goes from step to step, and ends with all done (PLAN-04)", async () => {
    const { turn } = await connect();
    const states = await turn(async (agentTurn) => {
      const plan = await createPlan(agentTurn, ["a", "b"]);
      const seen: string[][] = [];
      for (let step = 0; step < 3; step++) {
        await plan.next();
        seen.push(plan.entries.map(({ status }) => status));
      }
      return seen;
    });
    expect(states).toEqual([
      ["in_progress", "pending"],
      ["completed", "in_progress"],
      ["completed", "completed"],
    ]);
  });

  it("refuses a step that there is not, and a plan of a turn that is over", async () => {
    const { turn, updates } = await connect();
    const plan = await turn(async (agentTurn) => {
      const made = await createPlan(agentTurn, ["a"]);
      await expect(made.start(1)).rejects.toMatchObject({ code: "usage" });
      await expect(made.remove(-1)).rejects.toMatchObject({ code: "usage" });
      return made;
    });
    await expect(plan.start(0)).rejects.toThrow(/turn has been answered/);
    expect(updates).toHaveLength(1);
  });
});

describe("news of a session", () => {
  it("usage, title and notices take a line each (UPD-06)", async () => {
    const { turn, updates } = await connect({ capabilities: { session: { notices: {} } } });
    const sent = await turn(async (agentTurn, { session }) => {
      await sendUsage(agentTurn, { used: 10, size: 100, cost: { amount: 0.5, currency: "EUR" } });
      await sendSessionInfo(session, { title: "A title" });
      return sendNotice(agentTurn, { severity: "warning", title: "Slow" });
    });
    expect(sent).toBe(true);
    expect(updates).toEqual([
      { sessionUpdate: "usage_update", used: 10, size: 100, cost: { amount: 0.5, currency: "EUR" } },
      { sessionUpdate: "session_info_update", title: "A title" },
      { sessionUpdate: "notice", severity: "warning", title: "Slow" },
    ]);
  });

  it("a notice is left out with a diagnostic where nobody advertised it (NOTC-01)", async () => {
    const { turn, updates, diagnostics } = await connect();
    expect(await turn((agentTurn) => sendNotice(agentTurn, { severity: "info", title: "Hi" }))).toBe(false);
    expect(updates).toEqual([]);
    expect(diagnostics).toMatchObject([{ type: "left-out", level: "info", capability: "session.notices" }]);
  });

  it("a notice after the turn's answer is refused", async () => {
    const { turn } = await connect({ capabilities: { session: { notices: {} } } });
    const late = await turn((agentTurn) => Promise.resolve([agentTurn]));
    await expect(sendNotice(late[0]!, { severity: "info", title: "Hi" })).rejects.toMatchObject({ code: "usage" });
  });
});

describe("startCompaction()", () => {
  it("keeps one id from the first update to the one that ends it (NOTC-07)", async () => {
    const { turn, updates } = await connect({ capabilities: { session: { compaction: {} } } });
    await turn(async (agentTurn) => {
      const compaction = await startCompaction(agentTurn);
      expect(compaction.isShown).toBe(true);
      await compaction.chunk("Once ");
      await compaction.chunk(text("upon a time"));
      await compaction.complete("In short");
      await expect(compaction.chunk("more")).rejects.toMatchObject({ code: "usage" });
      await expect(compaction.fail("twice")).rejects.toMatchObject({ code: "usage" });
      await (await startCompaction(agentTurn)).fail("No memory");
      await (await startCompaction(agentTurn)).cancel();
    });
    const ids = updates.map((update) => ("compactionId" in update ? update.compactionId : undefined));
    expect([...new Set(ids)]).toEqual([ids[0], ids[4], ids[6]]);
    expect(updates).toMatchObject([
      { sessionUpdate: "compaction_update", status: "in_progress" },
      { sessionUpdate: "compaction_summary_chunk", content: { text: "Once " } },
      { sessionUpdate: "compaction_summary_chunk", content: { text: "upon a time" } },
      { sessionUpdate: "compaction_update", status: "completed", summary: [{ type: "text", text: "In short" }] },
      { sessionUpdate: "compaction_update", status: "in_progress" },
      { sessionUpdate: "compaction_update", status: "failed", error: "No memory" },
      { sessionUpdate: "compaction_update", status: "in_progress" },
      { sessionUpdate: "compaction_update", status: "cancelled" },
    ]);
  });

  it("is left out as a whole, with one diagnostic, where nobody advertised it (NOTC-06)", async () => {
    const { turn, updates, diagnostics } = await connect();
    await turn(async (agentTurn) => {
      const compaction = await startCompaction(agentTurn);
      expect(compaction.isShown).toBe(false);
      await compaction.chunk("Once");
      await compaction.complete();
      await expect(compaction.complete()).rejects.toMatchObject({ code: "usage" });
    });
    expect(updates).toEqual([]);
    expect(diagnostics).toMatchObject([{ type: "left-out", capability: "session.compaction" }]);
  });
});
