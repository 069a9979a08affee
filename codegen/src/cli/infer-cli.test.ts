import { execFile } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeEach, expect, test } from "vitest";

import { type CommandRun, runCommand } from "../testing/run-command.ts";

const root = fileURLToPath(new URL("../../../", import.meta.url));
const base = mkdtempSync(join(tmpdir(), "acp-infer-"));
let directory = base;
let count = 0;
beforeEach(() => {
  directory = join(base, String(++count));
  mkdirSync(directory);
});
afterAll(() => rmSync(base, { recursive: true }));

/** Runs a program in the test's folder, as users do. */
function node(...args: readonly string[]): Promise<CommandRun> {
  return new Promise((resolve) => {
    execFile(process.execPath, [...args], { cwd: directory, encoding: "utf8" }, (failure, out, error) =>
      resolve({ code: typeof failure?.code === "number" ? failure.code : 0, out, error }),
    );
  });
}

const infer = (...args: readonly string[]): Promise<CommandRun> => runCommand(directory, "infer", ...args);
const write = (name: string, content: string): void => writeFileSync(join(directory, name), content);
const read = (name: string): string => readFileSync(join(directory, name), "utf8");

/** The packages as whoever installed them has them. */
function install(): void {
  mkdirSync(join(directory, "node_modules/@acp"), { recursive: true });
  for (const name of ["core", "record", "schema"]) {
    symlinkSync(join(root, "packages", name), join(directory, "node_modules/@acp", name));
  }
  write("package.json", '{ "type": "module" }');
}

/** A client and an agent with methods of their own, whose traffic is recorded. */
const recorder = `
import { appendFileSync } from "node:fs";
import { createAgent, createClient, createMemoryTransportPair } from "@acp/core";
import { recordTransport } from "@acp/record";

const agent = createAgent({
  info: { name: "agent", version: "1" },
  handlers: {
    "session/prompt": () => ({ stopReason: "end_turn" as const, _meta: { acme: { cost: 0.5 } } }),
    "_acme/search": async ({ query }: { query: string }, { client }) => {
      await client.notify("_acme/progress", { percent: 50 });
      const { depth } = await client.request<{ depth: number }>("_acme/settings", {});
      return { hits: query === "" ? [] : [{ path: "/project/a.ts", line: 1 }, { path: "/project/b.ts" }], depth };
    },
  },
});
const client = createClient({
  info: { name: "client", version: "1" },
  handlers: { "_acme/settings": () => ({ depth: 3 }), "_acme/progress": () => {} },
});
const [ours, theirs] = createMemoryTransportPair();
agent.connect(theirs);
const write = (entry: object) => appendFileSync("recording.ndjson", JSON.stringify(entry) + "\\n");
const connected = await client.connect(recordTransport(ours, write));
await connected.request("_acme/search", { query: "x", token: "hunter2" });
await connected.request("_acme/search", { query: "", limit: 1 });
const session = await connected.newSession({ cwd: "/project" });
await session.prompt("go").response;
await connected.close();
`;

/** The same methods by the types that were inferred, in a real call. */
const use = `
import { createAgentFor, createClientFor, createMemoryTransportPair, extend, v1 } from "@acp/core";
import { extensions, type AcmeSearchRequest, type SessionPromptResponseMeta } from "./out/extensions.ts";

const acme = extend(v1, extensions);
const agent = createAgentFor(acme)({
  info: { name: "agent", version: "1" },
  handlers: {
    "session/prompt": () => ({ stopReason: "end_turn" }),
    "_acme/search": async ({ query, limit }, { client }) => {
      await client.notify("_acme/progress", { percent: 100 });
      const { depth } = await client.request("_acme/settings", {});
      return { depth, hits: [{ path: query.toUpperCase(), line: limit }] };
    },
  },
});
const progress: number[] = [];
const client = createClientFor(acme)({
  info: { name: "client", version: "1" },
  handlers: {
    "_acme/settings": () => ({ depth: 7 }),
    "_acme/progress": ({ percent }) => void progress.push(percent),
  },
});
const [ours, theirs] = createMemoryTransportPair();
agent.connect(theirs);
const connected = await client.connect(ours);
const params: AcmeSearchRequest = { query: "found", limit: 2 };
const { hits, depth } = await connected.request("_acme/search", params);
const meta: SessionPromptResponseMeta = { acme: { cost: 1 } };
console.log(JSON.stringify({ path: hits[0]?.path, line: hits[0]?.line, depth, progress, meta }));
await connected.close();
`;

test("acp-codegen infer makes types from a recording with which the same methods are called", async () => {
  install();
  write("recorder.ts", recorder);
  expect(await node("--conditions=@acp/source", "recorder.ts")).toEqual({ code: 0, out: "", error: "" });
  expect(read("recording.ndjson")).not.toContain("hunter2");
  const { code, out, error } = await infer("recording.ndjson", "--out", "out");
  expect({ code, out, error }).toEqual({ code: 0, out: "Extension methods: 3. Places with _meta: 1.\n", error: "" });
  const made = read("out/extensions.ts");
  expect(made).toContain("  limit?: number;\n  query: string;\n  token?: string;\n");
  const schema: { readonly $defs: Readonly<Record<string, object>> } = JSON.parse(read("out/schema.json"));
  expect(schema.$defs["AcmeSearchRequest"]).toMatchObject({
    type: "object",
    required: ["query"],
    "x-side": "agent",
    "x-method": "_acme/search",
  });

  write("use.ts", use);
  const tsc = join(root, "node_modules/typescript/bin/tsc");
  const compilerOptions = {
    noEmit: true,
    allowImportingTsExtensions: true,
    customConditions: ["@acp/source"],
    types: ["node"],
  };
  const typeRoots = [join(root, "node_modules/@types")];
  const config = {
    extends: join(root, "tsconfig.base.json"),
    compilerOptions: { ...compilerOptions, typeRoots },
    files: ["use.ts"],
  };
  write("tsconfig.json", JSON.stringify(config));
  expect(await node(tsc, "-p", directory)).toEqual({ code: 0, out: "", error: "" });
  const used = await node("--conditions=@acp/source", "use.ts");
  expect(used.error).toBe("");
  expect(JSON.parse(used.out)).toEqual({
    path: "FOUND",
    line: 2,
    depth: 7,
    progress: [100],
    meta: { acme: { cost: 1 } },
  });
  write("use.ts", use.replace("limit: 2", 'limit: "2"'));
  expect((await node(tsc, "-p", directory)).out).toContain("TS2322");

  // The same again, byte for byte; and its schema is one that bindings are generated from.
  await infer("recording.ndjson", "--out", "out");
  expect(read("out/extensions.ts")).toBe(made);
  const bindings = await runCommand(directory, "generate", "out/schema.json", "--out", "bindings");
  expect(bindings.code, bindings.error).toBe(0);
  expect(read("bindings/decoders.ts")).toContain("decodeAcmeSearchRequest");
});

const ping = '{"jsonrpc":"2.0","method":"_acme/ping","params":{"a":1}}';

const call = (method: string, params?: object): string => JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });

test("acp-codegen generate reads the output of infer, and leaves it in the folder that it writes into", async () => {
  // One never answered, one without params, and neither.
  const answer = '{"jsonrpc":"2.0","id":1,"result":{"a":1}}';
  const calls = [call("_acme/other", { a: 1 }), call("_acme/plain"), answer, call("_acme/neither")];
  write("a.ndjson", [...calls, '{"jsonrpc":"2.0","method":"_acme/event"}', ""].join("\n"));
  expect(await infer("a.ndjson", "--out", "out")).toMatchObject({ code: 0 });
  const [types, schema] = [read("out/extensions.ts"), read("out/schema.json")];
  const generated = await runCommand(directory, "generate", "out/schema.json", "--out", "out");
  expect(generated).toEqual({ code: 0, out: "7 files generated, 7 written, 0 removed.\n", error: "" });
  expect([read("out/extensions.ts"), read("out/schema.json")]).toEqual([types, schema]);
  const methods = read("out/methods.ts");
  for (const name of ["other", "plain", "neither", "event"]) expect(methods).toContain(`"_acme/${name}"`);
});

test("acp-codegen infer names the lines it cannot read and writes nothing, or leaves them out", async () => {
  write("a.ndjson", `${ping}\nnot json\n`);
  write("b.ndjson", `[1]\n${ping}\n`);
  const refused = await infer("a.ndjson", "b.ndjson", "--out", "out");
  expect(refused.code).toBe(1);
  expect(refused.error).toMatch(
    /^acp-codegen: .*\n {2}a\.ndjson:2: no JSON: .*\n {2}b\.ndjson:1: expected a JSON object/,
  );
  expect(existsSync(join(directory, "out"))).toBe(false);
  const accepted = await infer("a.ndjson", "b.ndjson", "--out", "out", "--skip-unreadable", "--handled-by", "client");
  expect(accepted).toMatchObject({ code: 0, out: "Extension methods: 1. Places with _meta: 0.\n" });
  expect(accepted.error).toContain("Left out:\n  a.ndjson:2:");
});

test.each([
  [["--out", "out"], "`infer` takes recordings"],
  [["a.ndjson"], "`infer` needs --out"],
  [["none.ndjson", "--out", "out"], "cannot read none.ndjson"],
  [["a.ndjson", "--out", "out", "--recorded-by", "me"], "--recorded-by is agent or client, not me"],
  [["empty.ndjson", "--out", "out"], "there is no extension method and no _meta in the 0 messages"],
])("acp-codegen infer %j reports the mistake", async (args, message) => {
  write("a.ndjson", `${ping}\n`);
  write("empty.ndjson", "\n");
  const { code, error } = await infer(...args);
  expect([code, error]).toEqual([1, expect.stringContaining(message)]);
  expect(existsSync(join(directory, "out"))).toBe(false);
});
