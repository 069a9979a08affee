// A method that exists only in a schema is handled, called, gated and decoded without a line in core.
import { execFile } from "node:child_process";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { createAgentFor, createClientFor, createMemoryTransportPair, type Protocol } from "@acp/core";
import type { Request } from "@acp/schema";
import type { AgentMethods, ClientMethods } from "@acp/schema/v1";
import { afterAll, beforeAll, expect, it } from "vitest";

interface BrewMethods {
  "coffee/brew": Request<{ cups: number; sessionId: string }, { minutes: number; note?: string | null }>;
}
type Brewing = Protocol<AgentMethods & BrewMethods, ClientMethods>;

const root = fileURLToPath(new URL("../../..", import.meta.url));
// Inside the package, so that the generated files find `@acp/schema`.
const folder = fileURLToPath(new URL("../../node_modules/.new-method/", import.meta.url));
let brewing: Brewing;

beforeAll(async () => {
  await mkdir(folder, { recursive: true });
  const schema = JSON.parse(await readFile(`${root}schema/v1/schema.json`, "utf8")) as {
    $defs: Record<string, unknown>;
  };
  const rules = JSON.parse(await readFile(`${root}schema/v1/rules.json`, "utf8")) as { gates: Record<string, unknown> };
  schema.$defs["BrewCoffeeRequest"] = {
    type: "object",
    properties: {
      sessionId: { allOf: [{ $ref: "#/$defs/SessionId" }] },
      cups: { type: "integer", format: "uint32", minimum: 1 },
    },
    required: ["sessionId", "cups"],
    "x-side": "agent",
    "x-method": "coffee/brew",
  };
  schema.$defs["BrewCoffeeResponse"] = {
    type: "object",
    properties: {
      minutes: { type: "integer", format: "uint32", minimum: 0 },
      note: { type: ["string", "null"], "x-deserialize-default-on-error": true },
    },
    required: ["minutes"],
    "x-side": "agent",
    "x-method": "coffee/brew",
  };
  const { SessionCapabilities } = schema.$defs as { SessionCapabilities: { properties: Record<string, unknown> } };
  SessionCapabilities.properties["coffee"] = structuredClone(SessionCapabilities.properties["list"]);
  rules.gates["coffee/brew"] = [{ capability: "sessionCapabilities.coffee" }];
  await writeFile(`${folder}schema.json`, JSON.stringify(schema));
  await writeFile(`${folder}rules.json`, JSON.stringify(rules));
  const args = [
    "generate",
    `${folder}schema.json`,
    "--rules",
    `${folder}rules.json`,
    "--also",
    `${root}schema/v1/schema.unstable.json`,
    "--out",
    `${folder}out`,
  ];
  const command = ["--conditions=@acp/source", `${root}codegen/src/cli.ts`, ...args];
  await promisify(execFile)(process.execPath, command);
  const generated = (await import(/* @vite-ignore */ `${folder}out/index.ts`)) as {
    readonly agentTable: Brewing["agent"];
    readonly clientTable: Brewing["client"];
  };
  brewing = { agent: generated.agentTable, client: generated.clientTable };
});

afterAll(() => rm(folder, { recursive: true, force: true }));

async function connect(handlers: { "coffee/brew"?: (params: { cups: number }) => { minutes: number; note?: string } }) {
  const agent = createAgentFor(brewing)({
    info: { name: "barista", version: "1.0.0" },
    handlers: { "session/prompt": () => ({ stopReason: "end_turn" }), ...handlers },
  });
  const client = createClientFor(brewing)({ info: { name: "guest", version: "1.0.0" } });
  const [left, right] = createMemoryTransportPair();
  agent.connect(left);
  return client.connect(right);
}

it("is handled, typed and advertised, and its params and result are decoded", async () => {
  const connected = await connect({
    "coffee/brew": ({ cups }) => ({ minutes: cups * 3, note: 5 as unknown as string }),
  });
  expect(connected.capabilities).toEqual({ sessionCapabilities: { coffee: {} } });
  const session = await connected.newSession({ cwd: "/" });
  // The note does not decode, and its hint says that it is then left out.
  expect(await session.agent.request("coffee/brew", { cups: 2 })).toEqual({ minutes: 6 });
  await expect(session.agent.request("coffee/brew", { cups: 0 })).rejects.toMatchObject({
    wire: { code: -32602, data: { path: "/cups" } },
  });
  await connected.close();
});

it("is refused for a session that is not open, and the handler is not called", async () => {
  let calls = 0;
  const connected = await connect({
    "coffee/brew": () => {
      calls += 1;
      return { minutes: 1 };
    },
  });
  await expect(connected.request("coffee/brew", { sessionId: "none", cups: 2 })).rejects.toMatchObject({
    wire: { code: -32002 },
  });
  expect(calls).toBe(0);
  await connected.close();
});

it("is refused where the agent does not advertise it", async () => {
  const connected = await connect({});
  const session = await connected.newSession({ cwd: "/" });
  await expect(session.agent.request("coffee/brew", { cups: 2 })).rejects.toMatchObject({
    code: "missing_capability",
    capability: "sessionCapabilities.coffee",
  });
  await connected.close();
});
