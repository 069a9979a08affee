import { sendNotice, startCompaction } from "@acp/core/agent";
import { createSessionState } from "@acp/core/state";
import { describe, expect, test } from "vitest";

import { collect } from "./harness/collect.ts";
import { rawAgent, rawClient } from "./harness/connect.ts";
import { agentThat, clientWith } from "./harness/definitions.ts";

const done = { stopReason: "end_turn" } as const;
const compacting = { session: { compaction: {} } };

describe("an agent", () => {
  test.each([
    [{}, 0],
    [{ session: { notices: null } }, 0],
    [{ session: { notices: {} } }, 1],
  ])("NOTC-01: sends notices to a client that advertised %j: %i", async (capabilities, count) => {
    const peer = await rawClient(
      agentThat(async (_, { turn }) => {
        await turn.update({ sessionUpdate: "notice", severity: "info", title: "T" }).catch(() => {});
        return done;
      }),
    );
    await peer.prompt(await peer.open(capabilities));
    expect(peer.updates).toHaveLength(count);
  });

  test("NOTC-02: sends severity and title, and a description if there is one", async () => {
    const peer = await rawClient(
      agentThat(async (_, { turn }) => {
        await sendNotice(turn, { severity: "warning", title: "Slow" });
        await sendNotice(turn, { severity: "error", title: "Down", description: "The network is down" });
        return done;
      }),
    );
    await peer.prompt(await peer.open({ session: { notices: {} } }));
    expect(peer.updates).toEqual([
      { sessionUpdate: "notice", severity: "warning", title: "Slow" },
      { sessionUpdate: "notice", severity: "error", title: "Down", description: "The network is down" },
    ]);
  });

  test("NOTC-06: reports a compaction only to clients that advertised it", async () => {
    for (const [capabilities, count] of [
      [{}, 0],
      [compacting, 3],
    ] as const) {
      const peer = await rawClient(
        agentThat(async (_, { turn }) => {
          const compaction = await startCompaction(turn);
          await compaction.chunk("short");
          await compaction.complete();
          // Whoever sends it by hand does not get past it, either.
          const update = { sessionUpdate: "compaction_update", compactionId: "c", status: "completed" } as const;
          if (capabilities !== compacting) await turn.update(update).catch(() => {});
          return done;
        }),
      );
      await peer.prompt(await peer.open(capabilities));
      expect(peer.updates).toHaveLength(count);
    }
  });

  test.each(["complete", "fail", "cancel"] as const)(
    "NOTC-07: keeps the id of a compaction until it ends by %s, and ends it once",
    async (ending) => {
      let refused = false;
      const peer = await rawClient(
        agentThat(async (_, { turn }) => {
          const compaction = await startCompaction(turn);
          await compaction.chunk("one ");
          await compaction.chunk("two");
          await (ending === "fail" ? compaction.fail("no room") : compaction[ending]());
          await compaction.chunk("late").catch(() => (refused = true));
          return done;
        }),
      );
      await peer.prompt(await peer.open(compacting));
      const [first, ...others] = peer.updates;
      expect(new Set(peer.updates.map(({ compactionId }) => compactionId))).toEqual(new Set([first?.["compactionId"]]));
      expect(first).toMatchObject({ sessionUpdate: "compaction_update", status: "in_progress" });
      expect(others.slice(0, 2).map(({ sessionUpdate }) => sessionUpdate)).toEqual([
        "compaction_summary_chunk",
        "compaction_summary_chunk",
      ]);
      const status = { complete: "completed", fail: "failed", cancel: "cancelled" }[ending];
      expect(others.slice(2)).toMatchObject([{ sessionUpdate: "compaction_update", status }]);
      expect(refused).toBe(true);
    },
  );
});

describe("a client", () => {
  test.each(["_mild", "critical"])("NOTC-05: keeps a notice of severity %s as it is", async (severity) => {
    const { peer, agent } = await rawAgent(clientWith({}, { session: { notices: {} } }));
    const session = await agent.newSession({ cwd: "/project" });
    const store = createSessionState(session);
    const turn = session.prompt("hi");
    const prompt = await peer.next("session/prompt");
    const notice = { sessionUpdate: "notice", severity, title: "Strange" };
    peer.notify("session/update", { sessionId: session.id, update: notice });
    peer.reply(prompt, done);
    expect(await collect(turn.updates)).toEqual([notice]);
    expect([...store.state.timeline]).toContainEqual({ type: "notice", severity, title: "Strange" });
  });
});
