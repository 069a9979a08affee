// A project that is set up by `acp-codegen init`, and goes on from there without options.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";

import { type CommandRun, runCommand } from "../testing/run-command.ts";

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "acp-project-"));
});
afterEach(() => rmSync(directory, { recursive: true }));

const run = (...args: readonly string[]): Promise<CommandRun> => runCommand(directory, ...args);

const read = (name: string): string => readFileSync(join(directory, name), "utf8");
const write = (name: string, content: string | object): void =>
  writeFileSync(join(directory, name), typeof content === "string" ? content : JSON.stringify(content));

test("acp-codegen init writes a config, a schema and scripts, with which generate needs no options", async () => {
  write("package.json", '{\n\t"name": "mine",\n\t"scripts": { "test": "vitest" }\n}\n');
  const { code, out, error } = await run("init");
  expect({ code, error }).toEqual({ code: 0, error: "" });
  expect(out).toContain("Written: acp-codegen.json, acme.schema.json\n");
  expect(readdirSync(directory).toSorted()).toEqual(["acme.schema.json", "acp-codegen.json", "package.json"]);
  expect(JSON.parse(read("package.json"))).toEqual({
    name: "mine",
    scripts: { test: "vitest", bindings: "acp-codegen generate", "bindings:check": "acp-codegen generate --check" },
  });
  expect(read("package.json")).toMatch(/^\{\n\t"name": "mine",\n/);

  expect((await run("generate", "--check")).code).toBe(1);
  expect(await run("generate")).toEqual({ code: 0, out: "7 files generated, 7 written, 0 removed.\n", error: "" });
  expect(read("src/acme/methods.ts")).toContain('"_acme/search": Request<Sent.AcmeSearchRequest,');
  expect(read("src/acme/types.ts")).toContain("/** What to look for. */");
  expect(await run("generate", "--check")).toEqual({ code: 0, out: "", error: "" });
  expect(await run("status")).toEqual({ code: 0, out: "Nothing is left to write.\n", error: "" });
});

test("acp-codegen init changes nothing that exists, and names all of it", async () => {
  write("package.json", { scripts: { bindings: "make" } });
  write("acp-codegen.json", "{}");
  write("acme.schema.json", "{}");
  const before = read("package.json");
  expect(await run("init")).toEqual({
    code: 1,
    out: "",
    error:
      "acp-codegen: there is already acp-codegen.json, and acme.schema.json, and the script bindings in package.json; init changes nothing that exists\n",
  });
  expect([read("package.json"), read("acp-codegen.json")]).toEqual([before, "{}"]);
});

test("acp-codegen init takes a schema that there is", async () => {
  write("package.json", "{}");
  write("own.json", { $defs: { Own: { type: "string" } } });
  expect((await run("init", "--schema", "own.json", "--out", "generated")).code).toBe(0);
  expect(readdirSync(directory).toSorted()).toEqual(["acp-codegen.json", "own.json", "package.json"]);
  expect((await run("generate")).code).toBe(0);
  expect(read("generated/types.ts")).toContain("export type Own = string;");
});

test.each<[string | object, string]>([
  ["[]", "acp-codegen.json: expected an object"],
  ["{", "acp-codegen.json is not JSON"],
  [{ out: "x" }, "acp-codegen.json: `schema` is missing"],
  [{ schema: "a.json", outt: "x" }, "acp-codegen.json: there is no entry `outt`, only schema, out,"],
  [{ schema: 1 }, "acp-codegen.json: `schema` is not a string"],
  [{ schema: "a.json", also: "b.json" }, "acp-codegen.json: `also` is not a list of files"],
  [{ schema: "a.json" }, "`generate` needs --out"],
  [{ schema: "a.json", out: "x" }, "cannot read a.json"],
])("a config %j fails with one message", async (config, message) => {
  write("acp-codegen.json", config);
  const { code, error } = await run("generate");
  expect([code, error]).toEqual([1, expect.stringContaining(message)]);
  expect(error).toMatch(/^acp-codegen: [^\n]*\n$/);
});

const ping = { "x-method": "ping", "x-side": "agent", type: "object" };
const capable = { type: "object", properties: { ping: { type: "boolean" } } };
const definitions = {
  PingRequest: { ...ping, properties: { path: { type: "string" }, loud: { type: "boolean" } }, required: ["path"] },
  PingResponse: { ...ping, properties: {} },
  Capable: capable,
};

/** A schema below `protocol`, with all that may belong to it, and one upstream. */
function writeProject(): void {
  mkdirSync(join(directory, "protocol/examples"), { recursive: true });
  const files = { rules: "rules.json", prose: "prose.md", examples: "examples", upstream: "../upstream.json" };
  write("protocol/acp-codegen.json", { schema: "schema.json", out: "out", ...files });
  write("protocol/schema.json", { $defs: definitions });
  const gates = { ping: [{ capability: "ping" }] };
  write("protocol/rules.json", { protocolVersion: 1, capabilities: { agent: "Capable" }, gates });
  const items = ["- `path`: Where.", "- `loud`: Whether it is loud."].join("\n");
  write(
    "protocol/prose.md",
    `## PingRequest\n\nAsks.\n\n${items}\n\n## PingResponse\n\nAnswers.\n\n## Capable\n\nCan.\n\n- \`ping\`: It pings.\n`,
  );
  write("protocol/examples/all.json", [{ method: "ping", params: { path: "/x", loud: true }, result: {} }]);
}

test("acp-codegen import replaces a schema only if all that belongs to it fits, or is pruned", async () => {
  writeProject();
  const config = ["--config", "protocol/acp-codegen.json"];
  const { loud: _, ...properties } = definitions.PingRequest.properties;
  const next = {
    ...definitions,
    PingRequest: { ...definitions.PingRequest, properties: { ...properties, line: { type: "integer" } } },
    Capable: { ...capable, properties: { ...capable.properties, lines: { type: "boolean" } } },
  };
  write("upstream.json", { $defs: next });
  const before = read("protocol/schema.json");
  const refused = await run("import", ...config);
  expect(refused).toEqual({
    code: 1,
    out: "",
    error: [
      "acp-codegen: protocol/prose.md:6: PingRequest has no member loud",
      "Rules and prose of another schema as well, such as an unstable one, need it beside this one: --also <file>",
      "No file was replaced. Rename entries about what has a new name. To remove the others, import again with --prune.",
      "",
    ].join("\n"),
  });
  expect(read("protocol/schema.json")).toBe(before);

  const { code, out, error } = await run("import", ...config, "--prune");
  expect({ code, error }).toEqual({ code: 0, error: "" });
  expect(out).toContain("  + added member PingRequest.line: optional integer\n");
  expect(out).toMatch(
    /Removed, because the new schema does not have it:\n {2}protocol\/prose\.md:6: PingRequest has no member loud\n {2}protocol\/examples\/all\.json\[0\]: ping params \/loud: not in the schema\n$/,
  );
  expect(JSON.parse(read("protocol/examples/all.json"))).toEqual([
    { method: "ping", params: { path: "/x" }, result: {} },
  ]);
  expect((await run("generate", ...config)).error).toBe(
    "Without a description:\n  PingRequest.line\n  Capable.lines\n",
  );

  const left = await run("status", ...config);
  expect(left.error).toBe("");
  expect(left.out).toContain("No rule uses the agent's capability lines.");
  expect(left.out).toContain("  In the section of PingRequest:\n    - `line`: …\n");
});

test("acp-codegen import lists the problems of a schema at once, and replaces nothing", async () => {
  writeProject();
  write("upstream.json", {
    $defs: { ...definitions, Odd: { type: "tuple" }, Far: { type: "array", items: { $ref: "#/$defs/Gone" } } },
  });
  const before = read("protocol/schema.json");
  const { code, error } = await run("import", "--config", "protocol/acp-codegen.json", "--prune");
  expect(code).toBe(1);
  expect(error.split("\n").slice(0, 2)).toEqual([
    'acp-codegen: upstream.json: Definition Odd: the type "tuple" is not one of string, integer, number, boolean, null, array, object',
    "upstream.json: Definition Far: refers to Gone, which is not defined; define it, or correct the reference",
  ]);
  expect(error).toContain("\nNo file was replaced.\n");
  expect(read("protocol/schema.json")).toBe(before);
});
