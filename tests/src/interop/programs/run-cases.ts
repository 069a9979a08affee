/**
 * Runs the table with one implementation as the client and one as the agent, and prints a line of JSON
 * for each row: `--client official --agent toolkit`, `--unstable` for the unstable entries of both, `--between proxy`
 * or `--between chain` for the toolkit's proxy or chain between them, and `--only <part of a name>` to look at a few.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

import { casesFor } from "../cases/index.ts";
import { createContext } from "../case-context.ts";
import type { AgentExit, ClientPort, OpenClient } from "../client-port.ts";
import type { Between, CaseReport, InteropCase, Pairing, Sdk } from "../interop-case.ts";
import { countMethods } from "../count-methods.ts";
import { wholeProfiles } from "../profile.ts";
import { openOfficialClient } from "./official-client.ts";
import { openToolkitClient } from "./toolkit-client.ts";
import { hangs } from "../../support/hangs.ts";

const { values } = parseArgs({
  options: {
    client: { type: "string" },
    agent: { type: "string" },
    unstable: { type: "boolean", default: false },
    between: { type: "string", default: "nothing" },
    only: { type: "string" },
  },
});
const clientSdk = sdk(values.client);
const agentSdk = values.agent === "reference" ? values.agent : sdk(values.agent);
const entry = values.unstable ? "unstable" : "stable";
const pairing: Pairing = { client: clientSdk, agent: agentSdk, entry, between: between(values.between) };
const openers: Readonly<Record<Sdk, OpenClient>> = { toolkit: openToolkitClient, official: openOfficialClient };

let shared: Promise<ClientPort> | undefined;
for (const row of casesFor(pairing)) {
  if (values.only !== undefined && !row.name.includes(values.only)) continue;
  // One after another: rows share a connection.
  // oxlint-disable-next-line no-await-in-loop
  const report = await runRow(row);
  process.stdout.write(`${JSON.stringify(report)}\n`);
}
await (await shared)?.close();
process.exit();

async function runRow(row: InteropCase): Promise<CaseReport> {
  const isApart = row.apart ?? (row.agent !== undefined || row.client !== undefined || row.entries !== undefined);
  const methods = new Set<string>();
  const directory = await mkdtemp(join(tmpdir(), "acp-interop-"));
  let client: ClientPort | undefined;
  const begun = Date.now();
  const took = (): number => Date.now() - begun;
  try {
    client = await (isApart ? open(row) : (shared ??= open(row)));
    client.record.reset();
    const context = createContext({ clientSdk, agentSdk, client: countMethods(client, methods), directory });
    if (agentSdk !== "reference") await context.agentLog();
    await within(hangs, row.run(context));
    for (const { method } of client.record.messages) methods.add(`client ${method}`);
    if (client.record.updates.length > 0) methods.add("client session/update");
    if (isApart) checkExit(row, await client.close());
    return { name: row.name, ok: true, milliseconds: took(), methods: [...methods] };
  } catch (error) {
    // The next row starts with a connection that nothing happened to.
    const broken = isApart ? undefined : shared;
    if (!isApart) shared = undefined;
    void broken?.then((port) => port.close()).catch(() => {});
    return { name: row.name, ok: false, error: describe(error), milliseconds: took(), methods: [] };
  } finally {
    if (isApart) await client?.close();
    await rm(directory, { recursive: true, force: true });
  }
}

function open({ agent, client, entries = {} }: InteropCase): Promise<ClientPort> {
  const { client: clientEntry = entry, agent: agentEntry = entry } = entries;
  const profile = agent ?? wholeProfiles[agentEntry].agent;
  const program =
    agentSdk === "reference"
      ? ["../../../../apps/agent/src/main.ts", "--pace", "0"]
      : [
          `${agentSdk}-agent.ts`,
          "--profile",
          JSON.stringify(profile),
          ...(agentEntry === "unstable" ? ["--unstable"] : []),
        ];
  const command = commandOf(program);
  const passingOn = { nothing: [], proxy: ["toolkit-proxy.ts"], chain: ["toolkit-chain.ts"] }[pairing.between];
  return openers[clientSdk]({
    command: process.execPath,
    args: passingOn.length === 0 ? command : commandOf([...passingOn, process.execPath, ...command]),
    agent: profile,
    client: client ?? wholeProfiles[clientEntry].client,
    entry: clientEntry,
  });
}

/** The arguments with which Node runs a program beside this one. */
function commandOf([path = "", ...args]: readonly string[]): readonly string[] {
  return [...process.execArgv, fileURLToPath(new URL(path, import.meta.url)), ...args];
}

/** An agent ends by itself when its client goes (TRAN-10). */
function checkExit({ exitCode: expected = 0 }: InteropCase, { exitCode, signal }: AgentExit): void {
  if (expected !== null && exitCode !== expected)
    throw new Error(`The agent ended with ${exitCode ?? signal}, not with ${expected}`);
}

function sdk(value: string | undefined): Sdk {
  if (value === "toolkit" || value === "official") return value;
  throw new TypeError(`Expected toolkit or official, got ${value}`);
}

function between(value: string): Between {
  if (value === "nothing" || value === "proxy" || value === "chain") return value;
  throw new TypeError(`Expected nothing, proxy or chain, got ${value}`);
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause === undefined
    ? (error.stack ?? error.message)
    : `${error.stack}\ncaused by ${describe(error.cause)}`;
}

async function within(milliseconds: number, work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`Not done within ${milliseconds} ms`)), milliseconds);
  });
  try {
    await Promise.race([work, limit]);
  } finally {
    clearTimeout(timer);
  }
}
