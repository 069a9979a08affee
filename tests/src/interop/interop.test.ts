import { agentTable, clientTable } from "@acp/schema/v1";
import { beforeAll, describe, expect, test } from "vitest";

import { casesFor } from "./cases/index.ts";
import { PairingRun } from "./pairing-run.ts";

/** A row that takes 15 s is given up by the program; the ones before it take their time as well. */
const timeout = 120_000;

const pairings = [
  { client: "toolkit", agent: "official" } as const,
  { client: "official", agent: "toolkit" } as const,
  { client: "official", agent: "reference" } as const,
  { client: "toolkit", agent: "reference" } as const,
].map(({ client, agent }) => ({
  client,
  agent,
  rows: casesFor(client, agent).map(({ name }) => name),
  run: new PairingRun("run-cases", ["--client", client, "--agent", agent]),
}));

// Both at once: each waits for its peer most of the time.
beforeAll(() => pairings.forEach(({ run }) => run.start()));

describe.each(pairings)("$client client and $agent agent", ({ run, rows }) => {
  test.each(rows)("%s", { timeout }, async (name) => {
    const { ok, error } = await run.report(name);
    expect({ ok, error }).toEqual({ ok: true });
  });
});

// The reference agent has no use for some.
describe.each(pairings.filter(({ agent }) => agent !== "reference"))("$client client and $agent agent", ({ run }) => {
  test("every method of the protocol is in a row that passes", { timeout }, async () => {
    const covered = await run.methods();
    const all = [agentTable, clientTable].flatMap(({ handles }) => [
      ...Object.keys(handles.requests),
      ...Object.keys(handles.notifications),
    ]);
    const wanted = [...new Set(all), "$/cancel_request to the agent"];
    expect(wanted.filter((method) => !covered.has(method))).toEqual([]);
  });
});
