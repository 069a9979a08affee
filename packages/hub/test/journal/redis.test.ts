import { randomUUID } from "node:crypto";

import { createClient } from "@redis/client";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";

import type { Journal } from "../../src/journal/journal.ts";
import { createRedisJournal } from "../../src/journal/redis/index.ts";
import { findProgram } from "../support/programs.ts";
import { type RedisServer, startRedis } from "../support/redis-server.ts";
import { describeJournal } from "./contract.ts";
import { testEngine } from "./engine-contract.ts";
import { described } from "./harness.ts";
import { appendAll, claimed, numbersOf, textsOf } from "./texts.ts";

const program = findProgram("redis-server") ?? findProgram("valkey-server");

describe.skipIf(program === undefined)("with a server (needs redis-server or valkey-server on the path)", () => {
  let server: RedisServer;
  beforeAll(async () => {
    server = await startRedis(program ?? "");
  });
  afterAll(() => server.stop());

  describeJournal("Redis", async () => {
    const prefix = randomUUID();
    const journals: Journal[] = [];
    return {
      open: async () => {
        const journal = createRedisJournal(server.url, { prefix });
        journals.push(journal);
        return journal;
      },
      leaseEnds: () => new Promise((resolve) => setTimeout(resolve, 510)),
      dispose: async () => {
        await Promise.all(journals.map((journal) => journal.close()));
      },
    };
  });

  testEngine({
    openTwo: () => {
      const prefix = randomUUID();
      const journals = [
        createRedisJournal(server.url, { prefix }),
        createRedisJournal(server.url, { prefix }),
      ] as const;
      onTestFinished(async () => {
        for (const journal of journals) await journal.close();
      });
      return journals;
    },
    restart: () => server.restart(),
  });

  test("a keeper whose entries the server has forgotten is fenced, and who has read them starts again", async () => {
    const prefix = randomUUID();
    const journal = createRedisJournal(server.url, { prefix });
    const client = createClient({ url: server.url });
    await client.connect();
    onTestFinished(async () => {
      client.destroy();
      await journal.close();
    });
    await journal.create("s", described);
    const claim = await claimed(journal, "s");
    await appendAll(journal, claim, 5);
    // As after a failover to a replica that had not got the last two.
    await client.zRemRangeByScore(`${prefix}:entries:s`, 4, "+inf");
    await client.hSet(`${prefix}:session:s`, "next", 4);
    expect(await journal.append([{ claim, from: 6, entries: textsOf(claim, 6, 1) }])).toEqual(["fenced"]);
    expect(await journal.read("s", { epoch: 1, n: 5 }, 1000)).toBe("gone");
    expect(await numbersOf(journal, "s")).toEqual([1, 2, 3]);
    await journal.release(claim);
    const next = await claimed(journal, "s", { keeper: "next" });
    expect(next).toMatchObject({ epoch: 2, next: 4 });
    await appendAll(journal, next, 2);
    expect(await journal.read("s", { epoch: 1, n: 5 }, 1000)).toBe("gone");
  });
});
