import { randomUUID } from "node:crypto";

import { afterAll, beforeAll, describe, onTestFinished } from "vitest";

import type { Journal } from "../../src/journal/journal.ts";
import { createRedisJournal } from "../../src/journal/redis/index.ts";
import { findProgram } from "../support/programs.ts";
import { type RedisServer, startRedis } from "../support/redis-server.ts";
import { describeJournal } from "./contract.ts";
import { testEngine } from "./engine-contract.ts";

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
});
