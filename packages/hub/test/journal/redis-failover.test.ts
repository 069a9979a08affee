// Redis fails over to a server that has forgotten the last entries, with their epochs.
import { randomUUID } from "node:crypto";

import { createClient } from "@redis/client";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";

import { systemClock } from "../../src/clock.ts";
import type { Journal } from "../../src/journal/journal.ts";
import { createRedisJournal } from "../../src/journal/redis/index.ts";
import { findProgram } from "../support/programs.ts";
import { type RedisServer, startRedis } from "../support/redis-server.ts";
import { createTestAgent } from "../support/test-agent.ts";
import { cwd, startHub } from "../support/test-hub.ts";
import { described } from "./harness.ts";
import { appendAll, claimed, numbers, numbersOf, pageOf, textsOf } from "./texts.ts";

const program = findProgram("redis-server") ?? findProgram("valkey-server");
describe.skipIf(program === undefined)("Redis (needs redis-server or valkey-server on the path)", () => {
  let server: RedisServer;
  beforeAll(async () => {
    server = await startRedis(program ?? "");
  });
  afterAll(() => server.stop());

  function open(): Journal {
    const journal = createRedisJournal(server.url, { prefix: randomUUID() });
    onTestFinished(() => journal.close());
    return journal;
  }

  /** Until the server that has taken over is reached. */
  async function reached(journal: Journal): Promise<void> {
    await expect.poll(() => journal.list({}).then(() => true)).toBe(true);
  }

  test("gives no epoch twice, although it has forgotten the last one: no place is mistaken for another", async () => {
    const journal = open();
    await journal.create("s", described);
    const first = await claimed(journal, "s", { keeper: "first" });
    await appendAll(journal, first, 5);
    const copy = await server.copy();
    await journal.release(first);
    const lost = await claimed(journal, "s", { keeper: "lost", lease: 600_000 });
    await appendAll(journal, lost, 3);
    const end = { epoch: lost.epoch, n: 8 };
    expect((await pageOf(journal, "s", end, 1000)).entries).toEqual([]);

    await server.failOver(copy);
    await reached(journal);

    expect(await journal.append([{ claim: lost, from: 9, entries: textsOf(lost, 9, 1) }])).toEqual(["fenced"]);
    expect(await journal.renew([lost], 1000)).toEqual([lost]);
    await journal.release(first);
    const next = await claimed(journal, "s", { keeper: "next" });
    expect(next.next).toBe(6);
    await appendAll(journal, next, 3);
    expect(next.epoch).toBeGreaterThan(lost.epoch);
    expect(await journal.read("s", end, 1000)).toBe("gone");
    expect(await journal.append([{ claim: lost, from: 9, entries: textsOf(lost, 9, 1) }])).toEqual(["fenced"]);
    // Who had come to what is left goes on.
    expect((await pageOf(journal, "s", { epoch: first.epoch, n: 5 }, 1000)).entries).toEqual(textsOf(next, 6, 3));
    expect(await numbersOf(journal, "s")).toEqual(numbers(1, 8));
  });

  test("that fails over time and again gives no epoch twice", async () => {
    const journal = open();
    await journal.create("s", described);
    const copy = await server.copy();
    const epochs: number[] = [];
    for (const keeper of ["one", "two", "three"]) {
      await server.failOver(copy);
      await reached(journal);
      const claim = await claimed(journal, "s", { keeper });
      epochs.push(claim.epoch);
      expect(await claimed(journal, "s", { keeper })).toMatchObject({ epoch: claim.epoch + 1 });
    }
    expect(epochs.toSorted((a, b) => a - b)).toEqual(epochs);
    expect(new Set(epochs).size).toBe(3);
  });

  test("gives no epoch twice to a user who may not ask which server it is", async () => {
    const client = createClient({ url: server.url });
    await client.connect();
    onTestFinished(() => client.destroy());
    await client.sendCommand(["ACL", "SETUSER", "limited", "on", ">secret", "~*", "&*", "+@all", "-info"]);
    const journal = createRedisJournal(server.url.replace("//", "//limited:secret@"), { prefix: randomUUID() });
    onTestFinished(() => journal.close());
    await journal.create("s", described);
    const before = Date.now();
    const first = await claimed(journal, "s", { keeper: "first" });
    expect(first.epoch).toBeGreaterThan(before - 60_000);
    await appendAll(journal, first, 3);
    const second = await claimed(journal, "s", { keeper: "first" });
    expect(second.epoch).toBeGreaterThan(first.epoch);
    await appendAll(journal, second, 1);
    expect((await pageOf(journal, "s", { epoch: first.epoch, n: 3 }, 1000)).entries).toEqual(textsOf(second, 4, 1));
  });

  test.each(["that is idle", "whose turn runs"])(
    "forgets the end of a session: its keeper %s ends, and the session goes on from what is left",
    async (what) => {
      const journal = open();
      const { agent, go } = createTestAgent();
      // An idle keeper looks from time to time.
      const clock = { ...systemClock, after: (time: number, run: () => void) => systemClock.after(time / 20, run) };
      const { agents, join } = startHub(agent, { journal, clock });
      const client = await join();
      const session = await client.agent.newSession({ cwd });
      await session.prompt("kept").response;
      const copy = await server.copy();
      await session.prompt("lost").response;
      const turn =
        what === "whose turn runs" ? session.prompt("x.y").response.catch((error: unknown) => error) : undefined;
      if (turn !== undefined) await client.until(() => client.text().includes("x"));

      await server.failOver(copy);
      await reached(journal);
      go();

      await expect.poll(() => agents.length).toBe(0);
      await turn;
      const late = await join();
      const again = await late.agent.loadSession({ sessionId: session.id, cwd });
      expect(late.text()).toBe("[kept]kept");
      await again.prompt("more").response;
      expect(late.text()).toBe("[kept]keptmore");
      // Who was there is told, and gets what is left once more.
      await expect.poll(() => client.text()).toMatch(/\[kept\]kept\[more\]more$/u);
      expect(JSON.stringify(client.shown)).toContain("has lost the place up to which you have seen this session");
    },
  );

  test("that comes back empty has no session: the keeper ends its agent, and new sessions work", async () => {
    const journal = open();
    const { agents, join } = startHub(createTestAgent().agent, { journal, limits: { lease: 1500 } });
    const client = await join();
    const session = await client.agent.newSession({ cwd });
    await session.prompt("one").response;

    await server.failOver(undefined);
    await reached(journal);

    await expect.poll(() => agents.length).toBe(0);
    await expect(session.prompt("two").response).rejects.toThrow();
    const late = await join();
    await expect(late.agent.loadSession({ sessionId: session.id, cwd })).rejects.toThrow("No such session");
    const other = await late.agent.newSession({ cwd });
    await other.prompt("new").response;
    expect(late.text()).toBe("new");
  });
});
