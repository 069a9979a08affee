import { createClient } from "@acp/core";
import { describe, expect, test } from "vitest";

import { contentBlocks, updates } from "../support/samples.ts";
import { collect } from "./harness/collect.ts";
import { type OurClient, rawAgent, rawClient } from "./harness/connect.ts";
import { agentThat, clientWith } from "./harness/definitions.ts";

const done = { stopReason: "end_turn" } as const;
const variants = Object.entries(updates).map(([sessionUpdate, members]) => ({ sessionUpdate, ...members }));
const begun = { sessionUpdate: "compaction_update", compactionId: "compaction-1", status: "in_progress" } as const;
const everything = { session: { notices: {}, compaction: {}, configOptions: { boolean: {} } } };

/** Sends updates in a turn, and returns what the client's turn has of them. */
async function received({ peer, agent }: OurClient, sent: readonly object[]): Promise<readonly unknown[]> {
  const session = await agent.newSession({ cwd: "/project" });
  const turn = session.prompt("hi");
  const prompt = await peer.next("session/prompt");
  for (const update of sent) peer.notify("session/update", { sessionId: session.id, update });
  peer.reply(prompt, done);
  return await collect(turn.updates);
}

describe("an agent", () => {
  test("UPD-01: names session and kind in every update", async () => {
    const peer = await rawClient(
      agentThat(async (_, { turn }) => {
        await turn.message("a");
        await turn.toolCall({ title: "b" });
        await turn.plan([]);
        return done;
      }),
    );
    const sessionId = await peer.open();
    await peer.prompt(sessionId);
    const params = peer.calls("session/update").map((message) => message.params);
    expect(params.map(({ update }) => update.sessionUpdate)).toEqual(["agent_message_chunk", "tool_call", "plan"]);
    for (const each of params) expect(Object.keys(each)).toEqual(["sessionId", "update"]);
    for (const each of params) expect(each.sessionId).toBe(sessionId);
  });

  test.each(variants)("UPD-02: sends $sessionUpdate as it is", async (update) => {
    const peer = await rawClient(
      agentThat(async (_, { turn }) => {
        // A summary is told while a compaction goes on.
        if (update.sessionUpdate === "compaction_summary_chunk") await turn.update(begun);
        await turn.update(update as never);
        return done;
      }),
    );
    await peer.prompt(await peer.open(everything));
    expect(peer.updates.at(-1)).toEqual(update);
  });

  test("UPD-03: carries one block of content in each chunk", async () => {
    const blocks = Object.values(contentBlocks);
    const peer = await rawClient(
      agentThat(async (_, { turn }) => {
        for (const block of blocks) await turn.message(block as never);
        await turn.thought("hm");
        return done;
      }),
    );
    await peer.prompt(await peer.open());
    expect(peer.updates.map(({ content }) => content)).toEqual([...blocks, { type: "text", text: "hm" }]);
  });

  test("UPD-04: gives the chunks of a message one id, and the next message another", async () => {
    const peer = await rawClient(
      agentThat(async (_, { turn }) => {
        await turn.message(pieces());
        await turn.message(pieces());
        return done;
      }),
    );
    await peer.prompt(await peer.open());
    const [a, b, c, d] = peer.updates.map(({ messageId }) => messageId);
    expect([typeof a, a === b, b === c, c === d]).toEqual(["string", true, false, true]);
  });

  test("UPD-06: reports usage, with or without its cost", async () => {
    const cost = { amount: 3, currency: "credits" };
    const peer = await rawClient(
      agentThat(async (_, { turn }) => {
        await turn.update({ sessionUpdate: "usage_update", used: 0, size: 200_000 });
        await turn.update({ sessionUpdate: "usage_update", used: 5, size: 200_000, cost });
        return done;
      }),
    );
    await peer.prompt(await peer.open());
    expect(peer.updates).toEqual([
      { sessionUpdate: "usage_update", used: 0, size: 200_000 },
      { sessionUpdate: "usage_update", used: 5, size: 200_000, cost },
    ]);
  });
});

describe("a client", () => {
  test("UPD-02: takes every kind of update as it is", async () => {
    const client = await rawAgent(
      createClient({ info: { name: "client", version: "1.0.0" }, capabilities: everything, handlers: {} }),
    );
    expect(await received(client, variants)).toEqual(variants);
    // One of them shows a terminal that nobody has made.
    expect(client.diagnostics).toMatchObject([{ type: "rule", rule: "TOOL-11" }]);
  });

  test.each(["", "0", "π/4", "x".repeat(10_000), '{"not":"looked at"}'])(
    "UPD-05: passes the message id %j on as it is",
    async (messageId) => {
      const chunk = { sessionUpdate: "agent_message_chunk", messageId, content: contentBlocks["text"] };
      expect(await received(await rawAgent(clientWith()), [chunk])).toEqual([chunk]);
    },
  );

  test("UPD-07: reports an update of an unknown kind, keeps it, and continues", async () => {
    const client = await rawAgent(clientWith());
    const strange = { sessionUpdate: "_mood", mood: { is: "good" } };
    const chunk = { sessionUpdate: "agent_message_chunk", content: contentBlocks["text"] };
    expect(await received(client, [strange, chunk])).toMatchObject([{ received: strange }, chunk]);
    expect(client.diagnostics).toMatchObject([{ type: "tolerated", method: "session/update" }]);
  });

  test("UPD-08: handles updates in the order in which they came, however long each takes", async () => {
    const handled: string[] = [];
    const slow = clientWith({
      "session/update": async ({ update }) => {
        const title = String("title" in update ? update.title : "");
        // The first one takes longest.
        await new Promise((resolve) => setTimeout(resolve, 20 - 5 * Number(title)));
        handled.push(title);
      },
    });
    const sent = ["0", "1", "2", "3"].map((title) => ({ sessionUpdate: "session_info_update", title }));
    expect(await received(await rawAgent(slow), sent)).toEqual(sent);
    expect(handled).toEqual(["0", "1", "2", "3"]);
  });
});

async function* pieces(): AsyncGenerator<string> {
  yield "one ";
  yield "two";
}
