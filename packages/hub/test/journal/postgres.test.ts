import { randomUUID } from "node:crypto";

import { Client } from "pg";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";

import type { Journal } from "../../src/journal/journal.ts";
import { createPostgresJournal } from "../../src/journal/postgres/index.ts";
import { type PostgresServer, startPostgres } from "../support/postgres-server.ts";
import { findPostgres } from "../support/programs.ts";
import { describeJournal } from "./contract.ts";
import { described } from "./harness.ts";
import { testEngine } from "./engine-contract.ts";
import { claimed, numbers, numbersOf, textsOf } from "./texts.ts";

const bin = findPostgres();

describe.skipIf(bin === undefined)("with a server (needs PostgreSQL on the path, or a package that has it)", () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres(bin ?? "");
  });
  afterAll(() => server.stop());

  const newSchema = (): string => `hub_${randomUUID().replaceAll("-", "")}`;

  describeJournal("PostgreSQL", async () => {
    const schema = newSchema();
    const journals: Journal[] = [];
    return {
      open: async () => {
        const journal = createPostgresJournal(server.url, { schema });
        journals.push(journal);
        return journal;
      },
      leaseEnds: () => new Promise((resolve) => setTimeout(resolve, 510)),
      dispose: async () => {
        await Promise.all(journals.map((journal) => journal.close()));
        const client = new Client({ connectionString: server.url });
        await client.connect();
        await client.query(`drop schema if exists ${schema} cascade`);
        await client.end();
      },
    };
  });

  function open(schema: string): Journal {
    const journal = createPostgresJournal(server.url, { schema });
    onTestFinished(() => journal.close());
    return journal;
  }

  test("appends of many sessions at once are few statements, each session in its order", async () => {
    const schema = newSchema();
    const journal = open(schema);
    const sessions = numbers(1, 20).map((n) => `s${n}`);
    await Promise.all(sessions.map((session) => journal.create(session, described)));
    const claims = await Promise.all(sessions.map((session) => claimed(journal, session)));
    const results = await Promise.all(
      claims.flatMap((claim) =>
        numbers(1, 25).map((from) => journal.append([{ claim, from, entries: textsOf(claim, from, 1) }])),
      ),
    );
    expect(new Set(results.flat())).toEqual(new Set(["done"]));
    for (const session of sessions) expect(await numbersOf(journal, session)).toEqual(numbers(1, 25));
    const client = new Client({ connectionString: server.url });
    await client.connect();
    // The transactions that have written entries.
    const { rows } = await client.query<{ count: string }>(`select count(distinct xmin::text) from ${schema}.entries`);
    await client.end();
    expect(Number(rows[0]?.count)).toBeLessThanOrEqual(26);
  });

  testEngine({
    openTwo: () => {
      const schema = newSchema();
      return [open(schema), open(schema)];
    },
    restart: () => server.restart(),
  });

  test("an invalid name of a schema is refused", () => {
    expect(() => createPostgresJournal(server.url, { schema: "x; drop" })).toThrow("A schema is named");
  });
});
