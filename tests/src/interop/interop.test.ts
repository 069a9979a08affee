import * as stable from "@acp/schema/v1";
import * as unstable from "@acp/schema/v1/unstable";
import { beforeAll, describe, expect, test } from "vitest";

import { casesFor } from "./cases/index.ts";
import type { Pairing } from "./interop-case.ts";
import { PairingRun } from "./pairing-run.ts";

/** A row that takes 15 s is given up by the program; the ones before it take their time as well. */
const timeout = 120_000;

const stablePairings: readonly Pairing[] = [
  { client: "toolkit", agent: "official", entry: "stable", isProxied: false },
  { client: "official", agent: "toolkit", entry: "stable", isProxied: false },
  { client: "official", agent: "reference", entry: "stable", isProxied: false },
  { client: "toolkit", agent: "reference", entry: "stable", isProxied: false },
];
const unstablePairings: readonly Pairing[] = [
  { client: "toolkit", agent: "official", entry: "unstable", isProxied: false },
  { client: "official", agent: "toolkit", entry: "unstable", isProxied: false },
  { client: "official", agent: "official", entry: "unstable", isProxied: true },
];
const pairings = [...stablePairings, ...unstablePairings].map((pairing) => {
  const { client, agent, entry, isProxied } = pairing;
  const flags = [...(entry === "unstable" ? ["--unstable"] : []), ...(isProxied ? ["--proxied"] : [])];
  return {
    ...pairing,
    title: `${client} client and ${agent} agent, ${entry}${isProxied ? ", with the toolkit's proxy between them" : ""}`,
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

/** Those of a chain of proxies stand in no table: neither a client nor an agent handles them. */
const ofProxies = ["agent proxy/initialize", "agent proxy/successor", "client proxy/successor"];

// The reference agent has no use for some.
describe.each(pairings.filter(({ agent }) => agent !== "reference"))("$title", ({ run, entry, isProxied }) => {
  test("every method of the protocol is in a row that passes", { timeout }, async () => {
    const covered = await run.methods();
    const { agentTable, clientTable } = entry === "unstable" ? unstable : stable;
    const wanted = [agentTable, clientTable].flatMap(({ role, handles }) =>
      [...Object.keys(handles.requests), ...Object.keys(handles.notifications)].map((method) => `${role} ${method}`),
    );
    // The rows of cancelling are about the ends of a connection, which a proxy is not.
    const own = wanted.filter((method) => !isProxied || !/cancel/u.test(method));
    expect([...own, ...(isProxied ? ofProxies : [])].filter((method) => !covered.has(method))).toEqual([]);
  });
});
