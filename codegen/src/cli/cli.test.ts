import { execFile, spawn } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeEach, describe, expect, test } from "vitest";

import { type CommandRun, runCommand } from "../testing/run-command.ts";

const root = fileURLToPath(new URL("../../../", import.meta.url));
const cli = join(root, "codegen/src/cli.ts");
const base = mkdtempSync(join(tmpdir(), "acp-codegen-"));
let directory = base;
let count = 0;
beforeEach(() => {
  directory = join(base, String(++count));
  mkdirSync(directory);
});
afterAll(() => rmSync(base, { recursive: true }));

const modules = ["agent.ts", "client.ts", "decoders.ts", "index.ts", "methods.ts", "received.ts", "types.ts"];

/** Runs the command in a folder of the test. */
const run = (...args: readonly string[]): Promise<CommandRun> => runCommand(directory, ...args);

/** Runs the command as users do: a process of its own. */
async function runProgram(...args: readonly string[]): Promise<CommandRun> {
  return await new Promise((resolve) => {
    execFile(
      process.execPath,
      ["--conditions=@acp/source", cli, ...args],
      { cwd: directory, encoding: "utf8" },
      (failure, out, error) => resolve({ code: typeof failure?.code === "number" ? failure.code : 0, out, error }),
    );
  });
}

/** Installs `@acp/schema` as a user would have it, and type-checks what was generated into `out`. */
async function typeErrors(strictest: object = {}): Promise<string> {
  mkdirSync(join(directory, "node_modules/@acp"), { recursive: true });
  symlinkSync(join(root, "packages/schema"), join(directory, "node_modules/@acp/schema"));
  write("package.json", { type: "module" });
  write("tsconfig.json", {
    extends: join(root, "tsconfig.base.json"),
    compilerOptions: {
      noEmit: true,
      allowImportingTsExtensions: true,
      customConditions: ["@acp/source"],
      ...strictest,
    },
    include: ["out"],
  });
  const tsc = join(root, "node_modules/typescript/bin/tsc");
  return await new Promise((resolve) => {
    execFile(process.execPath, [tsc, "-p", directory], { encoding: "utf8" }, (failure, out, error) =>
      resolve(failure === null ? "" : `${out}${error}`),
    );
  });
}

/** Runs a generated decoder in a process of its own. */
async function decodeInProcess(decoder: string, value: unknown): Promise<unknown> {
  const script = `
    import { decode } from "@acp/schema";
    import * as bindings from "./out/index.ts";
    process.stdout.write(JSON.stringify(decode(bindings[${JSON.stringify(decoder)}], ${JSON.stringify(value)})));`;
  writeFileSync(join(directory, "use.ts"), script);
  return await new Promise((resolve, reject) => {
    const options = { cwd: directory, encoding: "utf8" } as const;
    execFile(process.execPath, ["--conditions=@acp/source", "use.ts"], options, (failure, out) => {
      if (failure === null) resolve(JSON.parse(out));
      else reject(failure);
    });
  });
}

const ours = (path: string): string => join(root, "schema", path);
const read = (name: string): string => readFileSync(join(directory, name), "utf8");
const write = (name: string, content: object): void => writeFileSync(join(directory, name), JSON.stringify(content));

const ping = { "x-method": "ping", "x-side": "agent", type: "object", properties: { text: { type: "string" } } };
const small = { $defs: { PingRequest: ping, PingResponse: { ...ping, required: ["text"] } } };

describe("acp-codegen", () => {
  test("ends in order when the reader of its output stops", async () => {
    const child = spawn(process.execPath, ["--conditions=@acp/source", cli, "--help"]);
    let error = "";
    child.stderr.setEncoding("utf8").on("data", (text: string) => (error += text));
    child.stdout.destroy();
    const code = await new Promise((resolve) => child.once("close", resolve));
    expect({ code, error }).toEqual({ code: 0, error: "" });
  });

  test("prints its help", async () => {
    const { code, out, error } = await runProgram("--help");
    expect(error).toBe("");
    expect(code).toBe(0);
    for (const word of [
      "init",
      "generate",
      "import",
      "status",
      "diff",
      "checks.ts",
      "--out",
      "--rules",
      "--check",
      "--prune",
      "--fail-on",
    ])
      expect(out).toContain(word);
    expect((await run("generate", "--help")).code).toBe(0);
  });

  test.each<[readonly string[], string]>([
    [["frobnicate"], "there is no command `frobnicate`"],
    [["generate", "a.json"], "needs --out"],
    [["generate", "--out", "x"], "cannot read acp-codegen.json"],
    [["generate", "a.json", "b.json", "--out", "x"], "takes a schema file"],
    [["generate", "a.json", "--config", "b.json"], "--config is instead of a schema file"],
    [["import"], "name a schema file, or make one with acp-codegen init"],
    [["status", "gone.json"], "cannot read gone.json"],
    [["init"], "cannot read package.json: ENOENT: no such file or directory, open 'package.json'; run npm init first"],
    [["generate", "gone.json", "--out", "x"], "cannot read gone.json"],
    [["generate", "a.json", "--ouch"], "--ouch"],
    [["import", "a.json"], "takes the upstream file and our file"],
    [["import", "gone.json", "ours.json"], "there is no file gone.json"],
    [["diff", "a.json"], "takes the old schema file and the new one"],
    [["diff", "gone.json", "b.json"], "cannot read gone.json"],
    [["diff", "a.json", "b.json", "--format", "xml"], "--format is text or markdown or json, not xml"],
    [["diff", "a.json", "b.json", "--fail-on", "all"], "--fail-on is wire or source, not all"],
  ])("%j fails with one message", async (args, message) => {
    const { code, out, error } = await run(...args);
    expect(code).toBe(1);
    expect(out).toBe("");
    expect(error).toContain(message);
    expect(error).toMatch(/^acp-codegen: [^\n]*\n$/);
    expect(readdirSync(directory)).toEqual([]);
  });
});

describe("acp-codegen generate", () => {
  test("writes bindings of any schema of this form, and then has nothing to do", async () => {
    write("schema.json", small);
    const { code, out } = await runProgram("generate", "schema.json", "--out", "out");
    expect({ code, out }).toEqual({ code: 0, out: "7 files generated, 7 written, 0 removed.\n" });
    expect(readdirSync(join(directory, "out")).toSorted()).toEqual(modules);
    for (const name of modules) expect(read(`out/${name}`)).toMatch(/^.* from schema\.json\. Do not edit\.\n/);
    expect(read("out/decoders.ts")).toContain('from "@acp/schema"');
    expect(read("out/methods.ts")).toContain("readonly ping: Request<Sent.PingRequest, Sent.PingResponse,");
    expect((await run("generate", "schema.json", "--out", "out")).out).toContain("0 written");
  });

  test("completes descriptions from another file", async () => {
    write("schema.json", small);
    writeFileSync(join(directory, "old.md"), "## PingRequest\n\nAsks.\n\n- `text`: What to say.\n");
    writeFileSync(join(directory, "prose.md"), "## PingRequest\n\nAs in v1.\n");
    const generate = (completion: string): ReturnType<typeof run> =>
      run("generate", "schema.json", "--out", "out", "--prose", "prose.md", "--prose-base", completion);
    expect(await generate("v1=old.md")).toMatchObject({ code: 0 });
    expect(read("out/types.ts")).toContain("/** Asks. */\nexport interface PingRequest {\n  /** What to say. */\n");
    expect((await generate("old.md")).error).toBe("acp-codegen: --prose-base is <name>=<file>, not old.md\n");
    writeFileSync(join(directory, "prose.md"), "## PingRequest\n\nAs in v1.\n\n## PingResponse\n\nAs in v1.\n");
    const { error } = await run("generate", "schema.json", "--out", "out", "--prose", "prose.md");
    expect(error).toMatch(/^acp-codegen: prose\.md:1: "As in v1\." needs another file: --prose-base v1=<file>\n/);
    expect(error).not.toContain("prose.md:5");
  });

  test("takes a schema that starts with a byte order mark", async () => {
    writeFileSync(join(directory, "schema.json"), `\uFEFF${JSON.stringify(small)}`);
    expect(await run("generate", "schema.json", "--out", "out")).toMatchObject({ code: 0, error: "" });
  });

  test("names the file that is in the way", async () => {
    write("schema.json", small);
    mkdirSync(join(directory, "out/types.ts"), { recursive: true });
    const { code, error } = await runProgram("generate", "schema.json", "--out", "out");
    expect(code).toBe(1);
    expect(error).toMatch(/^acp-codegen: cannot read .*types\.ts: EISDIR/);
  });

  test("imports the runtime from the given path", async () => {
    write("schema.json", small);
    await run("generate", "schema.json", "--out", "out", "--runtime", "./runtime.ts");
    expect(read("out/decoders.ts")).toContain('from "./runtime.ts"');
    expect(read("out/agent.ts")).toContain('from "./runtime.ts"');
  });

  test("--check lists stale and extra files, writes nothing, and fails", async () => {
    write("schema.json", small);
    await run("generate", "schema.json", "--out", "out");
    expect(await run("generate", "schema.json", "--out", "out", "--check")).toEqual({ code: 0, out: "", error: "" });
    writeFileSync(join(directory, "out/agent.ts"), "edited");
    const marker = "// Generated by @acp/codegen from schema.json. Do not edit.\n";
    writeFileSync(join(directory, "out/checks.ts"), marker);
    writeFileSync(join(directory, "out/agent.ts.12.tmp"), marker);
    writeFileSync(join(directory, "out/mine.ts"), "export {};\n");
    writeFileSync(join(directory, "out/README.md"), marker);
    const { code, error } = await run("generate", "schema.json", "--out", "out", "--check");
    expect(code).toBe(1);
    expect(error).toContain("out/agent.ts\n");
    expect(error).toContain("out/checks.ts (no longer generated)\n");
    expect(error).toContain("out/agent.ts.12.tmp (no longer generated)\n");
    expect(error).not.toMatch(/mine.ts|README/);
    expect(read("out/agent.ts")).toBe("edited");
    const { out } = await run("generate", "schema.json", "--out", "out");
    expect(out).toMatch(/1 written, 2 removed\.\nRemoved: .*agent\.ts\.12\.tmp\nRemoved: .*checks\.ts\n$/);
    expect(readdirSync(join(directory, "out")).toSorted()).toEqual(["README.md", ...modules, "mine.ts"].toSorted());
  });

  test.each<[string, object, string]>([
    [
      "an unknown keyword",
      { $defs: { ...small.$defs, X: { type: "string", maxLenght: 1 } } },
      "Definition X: the keyword `maxLenght`",
    ],
    ["no definitions", { type: "object" }, "schema.json: the document is not an ACP schema"],
    ["a response without a request", { $defs: { PingResponse: ping } }, "no definition PingRequest"],
    [
      "a name that types cannot have",
      { $defs: { ...small.$defs, "+": { type: "string" } } },
      "Definition +: has no letter",
    ],
  ])("writes nothing for a schema with %s", async (_, schema, message) => {
    write("schema.json", schema);
    const { code, out, error } = await run("generate", "schema.json", "--out", "out", "--strict");
    expect(code).toBe(1);
    expect(out).toBe("");
    expect(error).toContain(message);
    expect(existsSync(join(directory, "out"))).toBe(false);
  });

  test("keeps the files of an earlier run when the schema no longer generates", async () => {
    write("schema.json", small);
    await run("generate", "schema.json", "--out", "out");
    const before = modules.map((name) => read(join("out", name)));
    write("schema.json", { $defs: { ...small.$defs, Y: { type: "string" }, X: { type: "tuple" } } });
    expect((await run("generate", "schema.json", "--out", "out")).code).toBe(1);
    expect(modules.map((name) => read(join("out", name)))).toEqual(before);
  });

  test("writes nothing for rules that do not fit", async () => {
    write("schema.json", small);
    write("rules.json", { protocolVersion: 1, endsTurn: ["gone"] });
    const { code, error } = await run("generate", "schema.json", "--out", "out", "--rules", "rules.json");
    expect(code).toBe(1);
    const wrong = "acp-codegen: rules.json: endsTurn: the schema has no request gone\n";
    expect(error).toBe(
      `${wrong}Rules and prose of another schema as well, such as an unstable one, need it beside this one: --also <file>\n`,
    );
    expect(existsSync(join(directory, "out"))).toBe(false);
    // Who names it needs no hint.
    const also = ["--also", "schema.json"];
    expect((await run("generate", "schema.json", "--out", "out", "--rules", "rules.json", ...also)).error).toBe(wrong);
  });

  test("lists the limits of tables without rules, if they are those of a protocol", async () => {
    const method = { "x-method": "initialize", "x-side": "agent", type: "object" };
    write("schema.json", { $defs: { ...small.$defs, InitializeRequest: method, InitializeResponse: method } });
    write("rules.json", { protocolVersion: 1 });
    const { code, error } = await run("generate", "schema.json", "--out", "out");
    expect(code).toBe(0);
    expect(error).toMatch(/^Without --rules the tables have version 0, gate nothing and open no session[^\n]*\n$/);
    expect((await run("generate", "schema.json", "--out", "out", "--rules", "rules.json")).error).toBe("");
  });

  test("writes modules that compile, even if imports and keywords have the same names", async () => {
    const names = "Any Array Boolean Constructor Date Decoder Error Fields Foo2Bar Foo_Bar Function Map Notes Number";
    const all = `${names} Object Partial Promise Readonly Sent String Symbol ToString Unknown`.split(" ");
    const schemas = all.flatMap((name) => [
      [
        name,
        { type: "object", properties: { inner: { $ref: `#/$defs/${name}` }, list: { type: "array", items: {} } } },
      ],
      [`${name}List`, { type: "array", items: { anyOf: [{ $ref: `#/$defs/${name}` }, { type: "string" }] } }],
      [`${name}Map`, { type: "object", additionalProperties: { type: "string", enum: ["a", "b"] } }],
      [`${name}Any`, { anyOf: [{ type: "string" }, {}] }],
    ]);
    write("schema.json", { $defs: { ...small.$defs, ...Object.fromEntries(schemas) } });
    expect(await run("generate", "schema.json", "--out", "out")).toMatchObject({ code: 0, error: "" });
    const errors = await typeErrors({ noPropertyAccessFromIndexSignature: true });
    // What is ours does without that option.
    expect(errors.split("\n").filter((line) => line.includes("/out/"))).toEqual([]);
  });

  test("writes modules that compile, with any names of a union's branches", async () => {
    const tolerant = { "x-deserialize-default-on-error": true };
    const lines = { type: "array", items: { type: "string" }, default: ["a"], ...tolerant };
    const level = {
      anyOf: [
        { title: "Log level", enum: ["info", "debug"] },
        { title: "The `lines` of ${text} \\", type: "object", properties: { lines } },
        { title: "A `number`, not a ${string} \\", type: "integer" },
      ],
    };
    write("schema.json", { $defs: { Level: level } });
    expect(await run("generate", "schema.json", "--out", "out")).toMatchObject({ code: 0, error: "" });
    expect(await typeErrors()).toBe("");
    const reason = expect.stringMatching(
      /Log level \(.*, The `lines` of \$\{text\} \\ \(.*, A `number`, not a \$\{string\} \\$/,
    );
    expect(await decodeInProcess("decodeLevel", "loud")).toMatchObject({ ok: false, reason });
    expect(await decodeInProcess("decodeLevel", { lines: 1 })).toMatchObject({ ok: true, value: { lines: ["a"] } });
  });

  test.each<[string, object]>([
    ["nothing but records", { ...small.$defs, Any: { type: "object", properties: { free: { type: "object" } } } }],
    ["lists of anything or null", { Cells: { type: "array", items: { anyOf: [{}, { type: "null" }] } } }],
    ["exactly one of all", { One: { oneOf: [{ type: "string", minLength: 1 }, {}] } }],
  ])("writes modules that compile where there is %s", async (_what, definitions) => {
    write("schema.json", { $defs: definitions });
    write("rules.json", { protocolVersion: 1, hot: [] });
    for (const [out, ...rules] of [["out/plain"], ["out/ruled", "--rules", "rules.json"]] as const) {
      expect(await run("generate", "schema.json", "--out", out, ...rules)).toMatchObject({ code: 0, error: "" });
    }
    expect(await typeErrors()).toBe("");
  });

  test("a method added to the v1 schema appears in types, decoders, method maps and both tables", async () => {
    const schema = JSON.parse(readFileSync(ours("v1/schema.json"), "utf8"));
    const made = { "x-side": "agent", "x-method": "session/rewind", type: "object" };
    schema.$defs.RewindSessionRequest = {
      ...made,
      properties: { steps: { type: "integer", format: "uint32" } },
      required: ["steps"],
    };
    schema.$defs.RewindSessionResponse = { ...made, properties: { left: { type: "integer" } } };
    const rules = JSON.parse(readFileSync(ours("v1/rules.json"), "utf8"));
    rules.gates["session/rewind"] = [{ capability: "sessionCapabilities.resume" }];
    write("schema.json", schema);
    write("rules.json", rules);
    const also = ["--also", ours("v1/schema.unstable.json")];
    const outcome = await run("generate", "schema.json", "--out", "out", "--rules", "rules.json", ...also);
    expect(outcome).toMatchObject({ code: 0, error: "" });
    const gate = "gates: [gateOfSessionCapabilitiesResume]";
    expect(read("out/types.ts")).toMatch(/interface RewindSessionRequest \{\s+steps: number;/);
    expect(read("out/decoders.ts")).toContain("export const decodeRewindSessionRequest:");
    expect(read("out/methods.ts")).toContain(
      '"session/rewind": Request<Sent.RewindSessionRequest, Sent.RewindSessionResponse,',
    );
    expect(read("out/agent.ts")).toContain(`"session/rewind": { params: decodeRewindSessionRequest, ${gate} },`);
    const sent = "sent: /* @__PURE__ */ sent({ steps: readNumber })";
    expect(read("out/client.ts")).toContain(
      `"session/rewind": { result: decodeRewindSessionResponse, ${sent}, ${gate} },`,
    );
    expect(read("out/client.ts")).not.toContain("RewindSessionRequest");
    expect(await typeErrors()).toBe("");
    expect(await decodeInProcess("decodeRewindSessionRequest", { steps: "2" })).toMatchObject({
      ok: false,
      path: ["steps"],
    });
    expect(await decodeInProcess("decodeRewindSessionRequest", { steps: 2 })).toMatchObject({ ok: true, issues: [] });
  });
});

describe("acp-codegen import", () => {
  const upstream = {
    description: "Prose.",
    $defs: { X: { type: "object", description: "More.", properties: { description: { type: "string" } } } },
  };

  test("writes the structure, and reports the changes against the file it replaces", async () => {
    write("upstream.json", upstream);
    expect(await run("import", "upstream.json", "ours.json")).toEqual({
      code: 0,
      out: "ours.json is new: 1 definitions.\n",
      error: "",
    });
    expect(JSON.parse(read("ours.json"))).toEqual({
      $defs: { X: { type: "object", properties: { description: { type: "string" } } } },
    });
    expect((await run("import", "upstream.json", "ours.json")).out).toBe("No changes.\n");
    write("upstream.json", { $defs: { X: { type: "object", properties: {} }, Y: { type: "string" } } });
    const { out } = await run("import", "upstream.json", "ours.json");
    expect(out).toContain("1 added, 1 removed, 0 changed; 1 breaking: 0 for readers, 0 for writers, 1 for sources.");
    expect(out).toContain("Breaking\n  - removed member X.description: optional string [breaks sources]\n");
    expect(out).toContain("Compatible\n  + added definition Y: string\n");
  });

  test("leaves our file alone when the upstream file is broken", async () => {
    write("upstream.json", upstream);
    await run("import", "upstream.json", "ours.json");
    const before = read("ours.json");
    writeFileSync(join(directory, "upstream.json"), "{");
    expect(await run("import", "upstream.json", "ours.json")).toMatchObject({
      code: 1,
      out: "",
      error: expect.stringContaining("upstream.json is not JSON"),
    });
    expect(read("ours.json")).toBe(before);
    expect(readdirSync(directory).toSorted()).toEqual(["ours.json", "upstream.json"]);
  });
});

describe("acp-codegen diff", () => {
  const pinged = (text: object, ...required: readonly string[]): object => {
    const params = { ...ping, properties: { text }, required };
    return { $defs: { PingRequest: params, PingResponse: { ...ping, properties: {} } } };
  };
  const string = { type: "string" };

  test("prints the changes, and the audience they break", async () => {
    write("old.json", pinged(string));
    write("new.json", pinged(string, "text"));
    expect(await run("diff", "old.json", "new.json")).toEqual({
      code: 0,
      out: [
        "0 added, 0 removed, 1 changed; 1 breaking: 0 for readers, 1 for writers, 1 for sources.",
        "",
        "Breaking",
        "  ~ changed member PingRequest.text: optional string -> required string " +
          "[breaks writers, sources; in ping (agent request)]",
        "",
      ].join("\n"),
      error: "",
    });
    expect((await run("diff", "old.json", "old.json")).out).toBe("No changes.\n");
  });

  test("prints Markdown", async () => {
    write("old.json", pinged(string));
    write("new.json", pinged(string, "text"));
    const { out } = await run("diff", "old.json", "new.json", "--format", "markdown");
    expect(out).toMatch(/^# From old\.json to new\.json\n\n0 added/);
    expect(out).toContain("| `ping (agent request)` |  | 1 | 1 |  |\n");
  });

  test("prints JSON", async () => {
    write("old.json", pinged(string));
    write("new.json", pinged(string, "text"));
    const { out } = await run("diff", "old.json", "new.json", "--format", "json");
    expect(JSON.parse(out)).toEqual({
      changes: [
        {
          change: "changed",
          what: "member",
          name: "PingRequest.text",
          detail: "optional string -> required string",
          place: { type: "PingRequest", member: "text" },
          methods: ["ping (agent request)"],
          breaks: { readers: false, writers: true, sources: true },
          breaking: true,
        },
      ],
    });
  });

  test.each<[what: string, text: object, required: readonly string[], failing: readonly string[]]>([
    ["a required member", string, ["text"], ["wire", "source"]],
    ["a limit", { ...string, maxLength: 10 }, [], ["wire"]],
    ["a description", { ...string, description: "What to say." }, [], []],
  ])("--fail-on exits with 2 for %s where it breaks the class", async (_, text, required, failing) => {
    write("old.json", pinged(string));
    write("new.json", pinged(text, ...required));
    for (const given of ["wire", "source"]) {
      const { code, out, error } = await run("diff", "old.json", "new.json", "--fail-on", given);
      const breaks = failing.includes(given);
      expect({ given, code }).toEqual({ given, code: breaks ? 2 : 0 });
      expect(error).toMatch(breaks ? new RegExp(`^--fail-on ${given}: 1 change breaks [^\\n]*\\n$`) : /^$/);
      expect(out).not.toBe("");
    }
    const { code, error } = await run("diff", "old.json", "new.json", "--fail-on", "wire", "--fail-on", "source");
    expect(code).toBe(failing.length > 0 ? 2 : 0);
    expect(error.split("\n").length - 1).toBe(failing.length);
  });

  test("--fail-on source finds a new variant of an open union, --fail-on wire does not", async () => {
    const variant = (value: string): object => ({
      type: "object",
      properties: { type: { const: value } },
      required: ["type"],
    });
    const other = { title: "other", type: "object", properties: { type: string }, required: ["type"] };
    const known = (...names: readonly string[]): object => ({ anyOf: names.map((name) => variant(name)) });
    write("old.json", { $defs: { X: { anyOf: [variant("a"), { ...other, not: known("a") }] } } });
    write("new.json", { $defs: { X: { anyOf: [variant("a"), variant("b"), { ...other, not: known("a", "b") }] } } });
    expect((await run("diff", "old.json", "new.json", "--fail-on", "wire")).code).toBe(0);
    expect((await run("diff", "old.json", "new.json", "--fail-on", "source")).code).toBe(2);
    write("old.json", { $defs: { X: { oneOf: [variant("a")] } } });
    write("new.json", { $defs: { X: { oneOf: [variant("a"), variant("b")] } } });
    write("rules.json", { protocolVersion: 1, openUnions: ["X"] });
    const rules = ["--rules", "rules.json"];
    expect((await run("diff", "old.json", "new.json", "--fail-on", "wire")).code).toBe(2);
    expect((await run("diff", "old.json", "new.json", "--fail-on", "wire", ...rules)).code).toBe(0);
  });
});
