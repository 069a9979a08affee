import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { generateRepository } from "./generate-repository.ts";
import { writeSmallRepository } from "./testing/small-repository.ts";

const repository = fileURLToPath(new URL("../../../", import.meta.url));

let root: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "acp-generate-"));
});

afterEach(() => rmSync(root, { recursive: true }));

/** A repository with two methods, as generated. */
async function generateSmall(): Promise<void> {
  writeSmallRepository(root);
  expect(await run("write")).toMatchObject({ code: 0, error: "" });
  expect(await run("check")).toEqual({ code: 0, out: "", error: "" });
}

/** A copy of what this repository generates, and what it is generated from. */
function copyRepository(): void {
  for (const folder of [
    "schema",
    "docs/protocol",
    "packages/schema/src/v1",
    "packages/schema/src/v2",
    "codegen/src/infer/generated",
    "packages/http/src/generated",
  ]) {
    cpSync(join(repository, folder), join(root, folder), { recursive: true });
  }
}

async function run(mode: "check" | "write"): Promise<{ code: number; out: string; error: string }> {
  const said = { out: "", error: "" };
  const code = await generateRepository(root, mode === "check", {
    out: (text) => void (said.out += text),
    error: (text) => void (said.error += text),
  });
  return { code, ...said };
}

function edit(file: string, change: (text: string) => string): void {
  const path = join(root, file);
  const before = readFileSync(path, "utf8");
  const after = change(before);
  expect(after, `the change to ${file}`).not.toBe(before);
  writeFileSync(path, after);
}

function editJson(
  file: string,
  change: (schema: { $defs: Record<string, { properties?: Record<string, unknown> }> }) => void,
): void {
  edit(file, (text) => {
    const schema = JSON.parse(text);
    change(schema);
    return JSON.stringify(schema);
  });
}

const untagged = { type: "object", properties: {} };
const tagged = { type: "object", required: ["type"] };

describe("generateRepository() for two methods", () => {
  beforeEach(generateSmall);

  test("fails the check when a member has no prose or a method no example, even if all files are fresh", async () => {
    edit("schema/v1/prose.md", (text) => text.replace(/^- `content`: The text, or the lines.*\n/m, ""));
    edit("schema/v1/examples/connection.json", (text) =>
      JSON.stringify(JSON.parse(text).filter((example: { method?: string }) => example.method !== "initialize")),
    );
    const gaps = [
      "schema/v1/schema.json has no prose for:\n  ReadTextFileResponse.content\n",
      "schema/v1/schema.unstable.json has no prose for:\n  ReadTextFileResponse.content\n",
      "schema/v1/schema.json has no example of:\n  initialize (request)\n",
      "schema/v1/schema.unstable.json has no example of:\n  initialize (request)\n",
    ].join("");
    expect(await run("write")).toMatchObject({ code: 0, error: gaps });
    expect(await run("check")).toEqual({ code: 1, out: "", error: gaps });
  });

  test("writes nothing when an example is not valid, and names it", async () => {
    edit("schema/v2/examples/connection.json", (text) => text.replace('"protocolVersion":2', '"protocolVersion":"2"'));
    edit("docs/protocol/index.md", (text) => `${text}stale\n`);
    const { code, error } = await run("write");
    expect(code).toBe(1);
    expect(error).toContain(
      "schema/v2/examples/connection.json[0]: initialize params /protocolVersion: must be integer\n",
    );
    expect(readFileSync(join(root, "docs/protocol/index.md"), "utf8")).toContain("stale");
  });

  test.each<[string, Record<string, unknown>, string]>([
    [
      "a dangling reference",
      { Odd: { type: "object", properties: { list: { type: "array", items: { $ref: "#/$defs/Gone" } } } } },
      "Definition Odd at /properties/list: refers to Gone, which is not defined",
    ],
    [
      "a reference to another file, in a member with prose",
      { Plan: { type: "object", properties: { planId: { $ref: "other.json#/X" } } } },
      'Definition Plan at /properties/planId: the reference "other.json#/X"',
    ],
    [
      "members that are null",
      { Plan: { type: "object", properties: null } },
      "Definition Plan: `properties` is not an",
    ],
    ["a definition that is null", { Plan: null }, "Definition Plan: expected a schema object"],
  ])("names the file, the definition and the member of %s", async (_, definitions, message) => {
    const file = "schema/v2/schema.unstable.json";
    editJson(file, (schema) => Object.assign(schema.$defs, definitions));
    const { code, error } = await run("write");
    expect(code).toBe(1);
    expect(error).toMatch(/^[^\n]*\n$/);
    expect(error).toContain(`${file}: ${message}`);
  });

  test.each<[string, Record<string, unknown>, Readonly<Record<string, string>>]>([
    [
      "a variant twice, told apart by what it has besides",
      {
        Odd: {
          oneOf: [
            { ...tagged, properties: { type: { const: "a" }, x: { type: "string" } }, required: ["type", "x"] },
            { ...tagged, properties: { type: { const: "a" }, y: { type: "string" } }, required: ["type", "y"] },
          ],
        },
      },
      { "types.ts": 'export type Odd = { type: "a"; x: string } | { type: "a"; y: string };' },
    ],
    [
      "a branch that has neither a tag nor a title",
      {
        Odd: {
          anyOf: [
            { ...tagged, properties: { type: { const: "a" } } },
            { type: "object", properties: { size: { type: "integer" } }, required: ["size"] },
          ],
        },
      },
      { "types.ts": 'export type Odd = { type: "a" } | { size: number };', "decoders.ts": "Size: " },
    ],
    [
      "a union inside a branch",
      {
        Odd: {
          type: "object",
          properties: { a: { type: "string" } },
          anyOf: [{ type: "object", properties: {} }, { anyOf: [{ type: "string" }, { type: "integer" }] }],
        },
      },
      { "types.ts": "export type Odd = { a?: string } | ({ a?: string } & (string | number));" },
    ],
    [
      "a request and a notification of one name",
      {
        PingRequest: { ...untagged, "x-method": "ping", "x-side": "agent" },
        PingResponse: { ...untagged, "x-method": "ping", "x-side": "agent" },
        PingNotification: { ...untagged, "x-method": "ping", "x-side": "agent" },
      },
      {
        "methods.ts": "readonly ping: Request<Sent.PingRequest, Sent.PingResponse, Received.PingRequest,",
        "agent.ts": "ping: { params: decodePingNotification }",
      },
    ],
  ])("takes %s", async (_, definitions, written) => {
    editJson("schema/v2/schema.unstable.json", (schema) => Object.assign(schema.$defs, definitions));
    expect((await run("write")).code).toBe(0);
    for (const [file, text] of Object.entries(written)) {
      expect(readFileSync(join(root, "packages/schema/src/v2/unstable", file), "utf8")).toContain(text);
    }
  });

  test("lists every stale entry of rules, prose and examples at once", async () => {
    for (const file of ["schema/v1/schema.json", "schema/v1/schema.unstable.json"]) {
      editJson(file, ({ $defs }) => {
        delete $defs["ReadTextFileRequest"];
        delete $defs["ReadTextFileResponse"];
        delete $defs["FileSystemCapabilities"]?.properties?.["readTextFile"];
      });
    }
    const { code, error } = await run("write");
    expect(code).toBe(1);
    expect(
      error
        .replaceAll(/\.md:\d+/g, ".md:n")
        .trimEnd()
        .split("\n")
        .toSorted(),
    ).toEqual([
      "schema/v1/examples/client-tools.json[0]: no schema has a request fs/read_text_file",
      "schema/v1/examples/connection.json[0]: initialize params /clientCapabilities/fs/readTextFile: not in the schema",
      "schema/v1/prose.md:n: FileSystemCapabilities has no member readTextFile",
      "schema/v1/prose.md:n: the schema has no definition ReadTextFileRequest",
      "schema/v1/prose.md:n: the schema has no definition ReadTextFileResponse",
      "schema/v1/rules.json: gates: the schema has no method fs/read_text_file",
      "schema/v1/rules.json: hot: ReadTextFileRequest is not a definition of the schema",
      "schema/v1/rules.json: hot: ReadTextFileResponse is not a definition of the schema",
      "schema/v1/rules.json: values.line: the schema has no member ReadTextFileRequest.line",
      "schema/v1/rules.json: values.path: the schema has no member ReadTextFileRequest.path",
    ]);
  });
});

describe("generateRepository() for this repository", () => {
  beforeEach(copyRepository);

  test("names files that are not as generated, and makes them so", async () => {
    edit("docs/protocol/v1/methods.md", (text) => `${text}more\n`);
    expect(await run("check")).toEqual({
      code: 1,
      out: "",
      error: "Not as generated:\n  docs/protocol/v1/methods.md\nRun: npm run generate\n",
    });
    expect((await run("write")).out).toBe("Written:\n  docs/protocol/v1/methods.md\n");
  });
});
