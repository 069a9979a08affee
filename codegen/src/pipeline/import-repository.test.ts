import { cpSync, mkdtempSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { writeSmallRepository } from "./testing/small-repository.ts";
import { generateEditions } from "./workspace.ts";
import { sourcesOf } from "./sources.ts";
import { importRepository, type ImportOptions } from "./import-repository.ts";

const files = ["v1/schema.json", "v1/schema.unstable.json", "v2/schema.json", "v2/schema.unstable.json"];
const longAgo = new Date(0);

let base: string;
let root: string;
let upstream: string;

beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), "acp-import-"));
  [root, upstream] = [join(base, "root"), join(base, "upstream")];
  writeSmallRepository(root);
  for (const file of files) edit(file, () => {}, join(root, "schema"));
  cpSync(join(root, "schema"), upstream, { recursive: true });
  for (const file of files) utimesSync(join(root, "schema", file), longAgo, longAgo);
});

afterEach(() => rmSync(base, { recursive: true }));

async function run(
  from = upstream,
  options: ImportOptions = {},
): Promise<{ code: number; out: string; error: string }> {
  const said = { out: "", error: "" };
  const code = await importRepository(root, from, options, {
    out: (text) => void (said.out += text),
    error: (text) => void (said.error += text),
  });
  return { code, ...said };
}

interface Editable {
  readonly $defs: Record<string, { properties?: Record<string, unknown> }>;
}

function edit(file: string, change: (schema: Editable) => void, folder = upstream): void {
  const schema = JSON.parse(readFileSync(join(folder, file), "utf8"));
  change(schema);
  writeFileSync(join(folder, file), `${JSON.stringify(schema, undefined, 2)}\n`);
}

const addDefinition = (file: string, name: string, schema: object): void =>
  edit(file, ({ $defs }) => void ($defs[name] = schema));
const removeDefinitions = (file: string, ...names: readonly string[]): void =>
  edit(file, ({ $defs }) => names.forEach((name) => delete $defs[name]));
const readOurs = (file: string): string => readFileSync(join(root, "schema", file), "utf8");

const written = (): readonly string[] =>
  files.filter((file) => statSync(join(root, "schema", file)).mtime.getTime() !== longAgo.getTime());

describe("importRepository()", () => {
  test("leaves files alone of which nothing changed", async () => {
    const out = files.map((file) => `schema/${file}\nNo changes.\n\n`).join("");
    expect(await run()).toEqual({ code: 0, out, error: "" });
    expect(written()).toEqual([]);
  });

  test("leaves files alone that differ in the line ends only, as Git writes them on Windows", async () => {
    const file = join(root, "schema/v1/schema.json");
    writeFileSync(file, readFileSync(file, "utf8").replaceAll("\n", "\r\n"));
    utimesSync(file, longAgo, longAgo);
    expect((await run()).out).toContain("schema/v1/schema.json\nNo changes.\n");
    expect(written()).toEqual([]);
  });

  test("writes changed files, even if only the order changed, and reports it", async () => {
    const { $defs }: Editable = JSON.parse(readFileSync(join(upstream, "v2/schema.json"), "utf8"));
    const reversed = { $defs: Object.fromEntries(Object.entries($defs).toReversed()) };
    writeFileSync(join(upstream, "v2/schema.json"), JSON.stringify(reversed));
    addDefinition("v1/schema.json", "Odd", { type: "string" });
    const { code, out } = await run();
    expect(code).toBe(0);
    expect(out).toContain("schema/v1/schema.json\n1 added, 0 removed, 0 changed; 0 breaking.\n");
    expect(out).toContain("schema/v2/schema.json\nOnly the order or the message frame changed.\n");
    expect(written()).toEqual(["v1/schema.json", "v2/schema.json"]);
  });

  test("writes nothing when one of the files cannot be taken, and names each such file in a line", async () => {
    writeFileSync(join(upstream, "v1/schema.json"), JSON.stringify({ $defs: { Odd: { type: "string" } } }));
    writeFileSync(join(upstream, "v1/schema.unstable.json"), "{\n  x\n}");
    writeFileSync(join(upstream, "v2/schema.json"), "[]");
    rmSync(join(upstream, "v2/schema.unstable.json"));
    const { code, out, error } = await run();
    expect({ code, out }).toEqual({ code: 1, out: "" });
    expect(error.split("\n")).toEqual([
      expect.stringContaining(`${join(upstream, "v1/schema.unstable.json")} is not JSON: `),
      `${join(upstream, "v2/schema.json")} is not an ACP schema: it has no object \`$defs\``,
      `there is no file ${join(upstream, "v2/schema.unstable.json")}`,
      "No file was replaced.",
      "",
    ]);
    expect(written()).toEqual([]);
  });

  test("names the files it expected in a missing folder", async () => {
    const { code, error } = await run(join(base, "gone"));
    expect(code).toBe(1);
    expect(error.split("\n")).toEqual([
      ...files.map((file) => `there is no file ${join(base, "gone", file)}`),
      "No file was replaced.",
      "",
    ]);
  });

  test("takes the schemas of one version, even with a broken draft of another one", async () => {
    addDefinition("v1/schema.json", "Odd", { type: "string" });
    writeFileSync(join(upstream, "v2/schema.unstable.json"), "{");
    expect((await run()).code).toBe(1);
    expect(written()).toEqual([]);
    const { code, out, error } = await run(upstream, { only: ["v1"] });
    expect({ code, error }).toEqual({ code: 0, error: "" });
    expect(out).not.toContain("v2/");
    expect(written()).toEqual(["v1/schema.json"]);
  });

  test("replaces nothing that does not generate, and names all of it: file, definition and place", async () => {
    addDefinition("v1/schema.json", "Odd", { type: "object", properties: { list: { type: "tuple" } } });
    addDefinition("v1/schema.json", "Far", { type: "array", items: { $ref: "#/$defs/Gone" } });
    addDefinition("v2/schema.unstable.json", "Strange", { type: "strange" });
    removeDefinitions("v2/schema.json", "FileSystemCapabilities");
    const { code, error } = await run();
    expect(code).toBe(1);
    expect(error.replaceAll(`${upstream}/`, "").split("\n")).toEqual([
      'v1/schema.json: Definition Odd at /properties/list: the type "tuple" is not one of string, integer, number, boolean, null, array, object',
      // Of another kind, which a reader would not get to.
      "v1/schema.json: Definition Far: refers to Gone, which is not defined; define it, or correct the reference",
      "v2/schema.json: Definition ClientCapabilities at /properties/fs: refers to FileSystemCapabilities, which is not defined; define it, or correct the reference",
      'v2/schema.unstable.json: Definition Strange: the type "strange" is not one of string, integer, number, boolean, null, array, object',
      "No file was replaced.",
      "",
    ]);
    expect(written()).toEqual([]);
  });

  test("rejects an import that would make rules, prose and examples stale, and removes them with --prune", async () => {
    // Prose of version 2 that starts from that of version 1.
    const file = join(root, "schema/v2/prose.md");
    const text = readFileSync(file, "utf8").replace(/(## FileSystemCapabilities\n\n).*?\n\n(?=##)/s, "$1As in v1.\n\n");
    writeFileSync(
      file,
      text.replace("Asks for the text of a file.\n\n- `path`: The file, as an absolute path.\n", "As in v1.\n\n"),
    );
    for (const name of ["v1/schema.json", "v1/schema.unstable.json"]) {
      removeDefinitions(name, "ReadTextFileRequest", "ReadTextFileResponse");
      edit(name, ({ $defs }) => delete $defs["FileSystemCapabilities"]?.properties?.["readTextFile"]);
    }
    const refused = await run();
    expect(refused.code).toBe(1);
    expect(refused.error.split("\n")).toEqual(
      expect.arrayContaining([
        "schema/v1/rules.json: gates: the schema has no method fs/read_text_file",
        "schema/v1/rules.json: values.path: the schema has no member ReadTextFileRequest.path",
        expect.stringMatching(/^schema\/v1\/prose\.md:\d+: the schema has no definition ReadTextFileRequest$/),
        "schema/v1/examples/client-tools.json[0]: no schema has a request fs/read_text_file",
        "Rename entries about what has a new name. To remove the others, import again with --prune.",
      ]),
    );
    expect(refused.error).toMatch(/\nNo file was replaced\. \d+ entries in rules, prose and examples are about what /);
    expect(written()).toEqual([]);

    const { code, out, error } = await run(upstream, { only: ["v1"], prune: true });
    expect({ code, error }).toEqual({ code: 0, error: "" });
    const [, list = ""] = out.split("Removed, because the new schemas do not have it:\n");
    expect(
      list
        .replaceAll(/\.md:\d+/g, ".md:n")
        .split("\n\n")[0]!
        .split("\n")
        .toSorted(),
    ).toEqual([
      "  schema/v1/examples/client-tools.json[0]: no schema has a request fs/read_text_file",
      "  schema/v1/examples/connection.json[0]: initialize params /clientCapabilities/fs/readTextFile: not in the schema",
      "  schema/v1/prose.md:n: FileSystemCapabilities has no member readTextFile",
      "  schema/v1/prose.md:n: the schema has no definition ReadTextFileRequest",
      "  schema/v1/prose.md:n: the schema has no definition ReadTextFileResponse",
      "  schema/v1/rules.json: gates: the schema has no method fs/read_text_file",
      "  schema/v1/rules.json: hot: ReadTextFileRequest is not a definition of the schema",
      "  schema/v1/rules.json: hot: ReadTextFileResponse is not a definition of the schema",
      "  schema/v1/rules.json: values.line: the schema has no member ReadTextFileRequest.line",
      "  schema/v1/rules.json: values.path: the schema has no member ReadTextFileRequest.path",
      // Version 2 still has it, and keeps what it said.
      "  schema/v2/prose.md:n: FileSystemCapabilities is written out: it started from v1",
      "  schema/v2/prose.md:n: ReadTextFileRequest is written out: it started from v1",
    ]);
    const rules = JSON.parse(readOurs("v1/rules.json"));
    expect(rules).toMatchObject({ hot: [], gates: {}, values: { path: [], line: [] }, protocolVersion: 1 });
    expect(JSON.parse(readOurs("v1/examples/connection.json"))[0].params).toEqual({
      protocolVersion: 1,
      clientCapabilities: { fs: {} },
    });
    expect(readOurs("v1/prose.md")).toContain(
      "\n\n## FileSystemCapabilities\n\nWhat a client does with files.\n\n- `writeTextFile`: It writes them.\n\n## Plan\n",
    );
    expect(readOurs("v2/prose.md")).toContain(
      "## ReadTextFileRequest\n\nAsks for the text of a file.\n\n- `path`: The file, as an absolute path.\n- `line`: The first line, from 1.\n\n##",
    );

    // All that is left generates, and there is nothing more to remove.
    const editions = await generateEditions(sourcesOf(root));
    expect(editions.flatMap(({ generated, examples }) => [...generated.undocumented, ...examples.missing])).toEqual([]);
    expect((await run(upstream, { only: ["v1"], prune: true })).out).not.toContain("Removed, ");
  });

  test("keeps the layout of a file that it removes entries from", async () => {
    const rules = join(root, "schema/v1/rules.json");
    const pretty = JSON.stringify(JSON.parse(readFileSync(rules, "utf8")), undefined, 4);
    writeFileSync(rules, pretty.replace('"line": [', '"line":   ['));
    for (const name of ["v1/schema.json", "v1/schema.unstable.json"]) {
      edit(name, ({ $defs }) => delete $defs["ReadTextFileRequest"]?.properties?.["line"]);
      edit(name, ({ $defs }) => delete $defs["AgentCapabilities"]);
      edit(name, ({ $defs }) => delete $defs["InitializeResponse"]?.properties?.["agentCapabilities"]);
    }
    const said = await run(upstream, { only: ["v1"], prune: true });
    expect(said.error).toBe("");
    expect(readOurs("v1/rules.json")).toBe(pretty.replace(/"line": \[.*?\]/s, '"line":   []'));
  });
});
