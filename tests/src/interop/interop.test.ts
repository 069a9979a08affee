import * as stable from "@acp/schema/v1";
import * as unstable from "@acp/schema/v1/unstable";
import { beforeAll, describe, expect, test } from "vitest";

import { casesFor } from "./cases/index.ts";
import type { Pairing } from "./interop-case.ts";
import { PairingRun } from "./pairing-run.ts";

/** The rows before it take their time as well. */
const timeout = 600_000;

const stablePairings: readonly Pairing[] = [
  { client: "toolkit", agent: "official", entry: "stable", between: "nothing" },
  { client: "official", agent: "toolkit", entry: "stable", between: "nothing" },
  { client: "official", agent: "reference", entry: "stable", between: "nothing" },
  { client: "toolkit", agent: "reference", entry: "stable", between: "nothing" },
];
const unstablePairings: readonly Pairing[] = [
  { client: "toolkit", agent: "official", entry: "unstable", between: "nothing" },
  { client: "official", agent: "toolkit", entry: "unstable", between: "nothing" },
  { client: "official", agent: "official", entry: "unstable", between: "proxy" },
  { client: "official", agent: "official", entry: "unstable", between: "chain" },
];
const pairings = [...stablePairings, ...unstablePairings].map((pairing) => {
  const { client, agent, entry, between } = pairing;
  const flags = ["--between", between, ...(entry === "unstable" ? ["--unstable"] : [])];
  return {
    ...pairing,
    title: `${client} client and ${agent} agent, ${entry}${between === "nothing" ? "" : `, with the toolkit's ${between} between them`}`,
    rows: casesFor(pairing).map(({ name }) => name),
    run: new PairingRun("run-cases", ["--client", client, "--agent", agent, ...flags]),
  };
});

// All at once: each waits for its peer most of the time.
beforeAll(() => pairings.forEach(({ run }) => run.start()));

describe.each(pairings)("$title", ({ run, rows }) => {
  test.each(rows)("%s", { timeout }, async (name) => {
    const { ok, error } = await run.report(name);
    expect({ ok, error }).toEqual({ ok: true });
  });
});

/** Those of a chain of proxies stand in no table: neither a client nor an agent handles them, nor does a chain pass them on. */
const ofProxies = ["agent proxy/initialize", "agent proxy/successor", "client proxy/successor"];

// The reference agent has no use for some.
describe.each(pairings.filter(({ agent }) => agent !== "reference"))("$title", ({ run, entry, between }) => {
  test("every method of the protocol is in a row that passes", { timeout }, async () => {
    const covered = await run.methods();
    const { agentTable, clientTable } = entry === "unstable" ? unstable : stable;
    const wanted = [agentTable, clientTable].flatMap(({ role, handles }) =>
      [...Object.keys(handles.requests), ...Object.keys(handles.notifications)].map((method) => `${role} ${method}`),
    );
    // The rows of cancelling are about the ends of a connection, which a proxy is not.
    const own = wanted.filter((method) => between === "nothing" || !/cancel/u.test(method));
    expect([...own, ...(between === "proxy" ? ofProxies : [])].filter((method) => !covered.has(method))).toEqual([]);
  });
});
