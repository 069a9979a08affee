import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, test } from "vitest";
import { emitTypes } from "../emit/types/index.ts";
import { numberFormats } from "../model/formats.ts";
import { readModel } from "../model/read-model.ts";
import type { JsonSchema, SchemaDocument } from "../model/schema-document.ts";
import { diffDocuments } from "./diff-documents.ts";

const root = fileURLToPath(new URL("../../../", import.meta.url));

const string: JsonSchema = { type: "string" };
const integer: JsonSchema = { type: "integer" };
const nothing: JsonSchema = { type: "null" };
const ref = (name: string): JsonSchema => ({ $ref: `#/$defs/${name}` });
const list = (items: JsonSchema): JsonSchema => ({ type: "array", items });
const values = (...all: readonly unknown[]): JsonSchema => ({ enum: all });
const either = (...branches: readonly JsonSchema[]): JsonSchema => ({ anyOf: branches });
const just = (value: unknown): JsonSchema => ({ const: value });
const object = (properties: Record<string, JsonSchema>, required: readonly string[] = []): JsonSchema => ({
  type: "object",
  properties,
  required,
});
const tagged = (kind: string): JsonSchema => object({ kind: just(kind) }, ["kind"]);

/** Definitions that pairs may refer to. `Same` and `Twin` take the same values. */
const shared: Record<string, JsonSchema> = {
  Same: object({ a: string }, ["a"]),
  Twin: object({ a: string }, ["a"]),
  Tree: object({ children: list(ref("Tree")) }),
  Bush: object({ children: list(ref("Bush")) }),
};

/** What a required member was, what it became, and whom that breaks: readers, writers, sources. */
const pairs: readonly (readonly [what: string, before: JsonSchema, after: JsonSchema, breaks: string])[] = [
  ["another type", string, integer, "rws"],
  ["integers to numbers", integer, { type: "number" }, "r--"],
  ["numbers to integers", { type: "number" }, integer, "-w-"],
  ["anything to a string", {}, string, "-ws"],
  ["a string to anything", string, {}, "r-s"],
  ["a list of types that grew", { type: ["string", "integer"] }, { type: ["string", "integer", "null"] }, "r-s"],
  ["nullable", string, { type: ["string", "null"] }, "r-s"],
  ["no longer nullable", { type: ["string", "null"] }, string, "-ws"],
  ["null, written in another way", { type: ["string", "null"] }, either(string, nothing), "---"],
  ["an enum that grew", values("a", "b"), values("a", "b", "c"), "r-s"],
  ["an enum that shrank", values("a", "b"), values("a"), "-ws"],
  ["an enum in another order", values("a", "b"), values("b", "a"), "---"],
  ["an enum that became a string", values("a", "b"), string, "r-s"],
  ["an enum as a union of constants", values("a", "b"), either(just("a"), just("b")), "---"],
  ["a constant that changed", just("a"), just("b"), "rws"],
  ["a union that grew", either(string, nothing), either(string, integer, nothing), "r-s"],
  ["a union that shrank", either(string, integer, nothing), either(string, nothing), "-ws"],
  ["a tagged union that grew", either(tagged("a"), tagged("b")), either(tagged("a"), tagged("b"), tagged("c")), "r-s"],
  ["both truth values, listed", { type: "boolean" }, values(true, false), "---"],
  ["one truth value", { type: "boolean" }, just(true), "-ws"],
  ["a first minimum", integer, { ...integer, minimum: 1 }, "-w-"],
  ["a minimum that rose", { ...integer, minimum: 0 }, { ...integer, minimum: 1 }, "-w-"],
  ["a minimum that fell", { ...integer, minimum: 1 }, { ...integer, minimum: 0 }, "r--"],
  ["a minimum that became exclusive", { ...integer, minimum: 0 }, { ...integer, exclusiveMinimum: 0 }, "-w-"],
  [
    "an exclusive maximum that became inclusive",
    { ...integer, exclusiveMaximum: 2 },
    { ...integer, maximum: 2 },
    "r--",
  ],
  ["a range within the old one", { ...integer, minimum: 0 }, { ...integer, minimum: 1, maximum: 2 }, "-w-"],
  ["a larger format", { ...integer, format: "uint8" }, { ...integer, format: "uint16" }, "r--"],
  ["a smaller format", { ...integer, format: "uint16" }, { ...integer, format: "uint8" }, "-w-"],
  ["a signed format", { ...integer, format: "uint8" }, { ...integer, format: "int16" }, "r--"],
  ["a format as bounds", { ...integer, format: "uint8" }, { ...integer, minimum: 0, maximum: 255 }, "---"],
  ["only multiples", integer, { ...integer, multipleOf: 2 }, "-w-"],
  ["more multiples", { ...integer, multipleOf: 4 }, { ...integer, multipleOf: 2 }, "r--"],
  ["a longer string", string, { ...string, minLength: 2 }, "-w-"],
  ["a shorter string", { ...string, maxLength: 3 }, { ...string, maxLength: 1 }, "-w-"],
  ["no limit to a string", { ...string, maxLength: 1 }, string, "r--"],
  ["a limit that says nothing", string, { ...string, minLength: 0 }, "---"],
  ["a pattern", string, { ...string, pattern: "^a" }, "-w-"],
  ["another pattern", { ...string, pattern: "^a" }, { ...string, pattern: "b$" }, "rw-"],
  ["no pattern", { ...string, pattern: "^a" }, string, "r--"],
  ["values that fit a pattern", { ...string, pattern: "^a" }, values("a", "ab"), "-ws"],
  ["a list with a minimum", list(string), { ...list(string), minItems: 1 }, "-w-"],
  ["a list that grew", { ...list(string), maxItems: 1 }, { ...list(string), maxItems: 2 }, "r--"],
  ["a list without twins", list(string), { ...list(string), uniqueItems: true }, "-w-"],
  ["items of another type", list(string), list(integer), "rws"],
  ["items that may be null", list(string), list(either(string, nothing)), "r-s"],
  ["a value that became a list", string, list(string), "rws"],
  ["a definition with another name", ref("Same"), ref("Twin"), "---"],
  ["a definition written out", ref("Same"), object({ a: string }, ["a"]), "---"],
  ["a recursive definition with another name", ref("Tree"), ref("Bush"), "---"],
  ["another definition", ref("Same"), ref("Tree"), "r-s"],
  ["a definition, or null", ref("Same"), either(ref("Same"), nothing), "r-s"],
  ["a member that became required", object({ a: string }), object({ a: string }, ["a"]), "-ws"],
  ["a member that became optional", object({ a: string }, ["a"]), object({ a: string }), "r-s"],
  [
    "a map of other values",
    { type: "object", additionalProperties: string },
    { type: "object", additionalProperties: integer },
    "rws",
  ],
  [
    "a map of more values",
    { type: "object", additionalProperties: string },
    { type: "object", additionalProperties: either(string, integer) },
    "r-s",
  ],
  [
    "a conjunction with one part more",
    { allOf: [ref("Same")] },
    { allOf: [ref("Same"), object({ b: string }, ["b"])] },
    "-ws",
  ],
];

const flags = ({ readers, writers, sources }: Record<"readers" | "writers" | "sources", boolean>): string =>
  `${readers ? "r" : "-"}${writers ? "w" : "-"}${sources ? "s" : "-"}`;

const holder = (schema: JsonSchema): JsonSchema => object({ m: schema }, ["m"]);

function breaksOf(before: JsonSchema, after: JsonSchema): string {
  const documents = [before, after].map((schema) => ({ $defs: { ...shared, X: holder(schema) } }));
  const [change, ...more] = diffDocuments(documents[0]!, documents[1]!);
  expect(more).toEqual([]);
  return change === undefined ? "---" : flags(change.breaks);
}

/** Values among which every pair that breaks somebody has one that shows it. */
const samples: readonly unknown[] = [
  null,
  true,
  false,
  -1,
  0,
  1,
  2,
  3,
  1.5,
  4,
  255,
  256,
  70_000,
  "",
  "a",
  "b",
  "c",
  "ab",
  "abc",
  "abcd",
  [],
  ["a"],
  ["a", "a"],
  ["a", "b"],
  [1],
  [null],
  {},
  { a: "a" },
  { a: 1 },
  { a: "a", b: "b" },
  { children: [] },
  { children: 1 },
  { kind: "a" },
  { kind: "b" },
  { kind: "c" },
  { kind: 1 },
];

describe("diffDocuments() reports the audience that a member's new type breaks", () => {
  test.each(pairs)("%s", (_, before, after, breaks) => {
    expect(breaksOf(before, after)).toBe(breaks);
  });

  test.each(pairs)("%s: the validators agree", (_, before, after, breaks) => {
    const ajv = new Ajv2020({ strict: false });
    for (const [name, { min = -Infinity, max = Infinity }] of Object.entries(numberFormats)) {
      ajv.addFormat(name, { type: "number", validate: (value: number) => value >= min && value <= max });
    }
    const [old, now] = [before, after].map((schema) => ajv.compile({ $defs: shared, ...holder(schema) }));
    const accepted = samples.map((m) => ({ old: old!({ m }), now: now!({ m }) }));
    expect(accepted.some((by) => by.now && !by.old)).toBe(breaks.includes("r"));
    expect(accepted.some((by) => by.old && !by.now)).toBe(breaks.includes("w"));
  });

  test("the compiler agrees on all of them", async () => {
    const documents = [1, 2].map((side): SchemaDocument => {
      const types = pairs.map((pair, index) => [`X${index}`, holder(pair[side as 1 | 2])] as const);
      return { $defs: { ...shared, ...Object.fromEntries(types) } };
    });
    const [old, now] = await Promise.all(
      documents.map(
        async (document) => (await emitTypes(readModel(document), { decodingModule: "./decoding.ts" }))["types.ts"],
      ),
    );
    const uses = pairs.map(
      (_, index) =>
        `read = (value: now.X${index}): old.X${index} => value; write = (value: old.X${index}): now.X${index} => value;`,
    );
    const program = ["let read: unknown, write: unknown;", ...uses, "export const used = [read, write];"].join("\n");
    const head = `import type * as old from "./old.ts"; import type * as now from "./now.ts"; `;
    const errors = compile({ "old.ts": old!, "now.ts": now!, "use.ts": `${head}${program}` });
    const broken = new Set([...errors.matchAll(/^use\.ts\((\d+),/gm)].map(([, line]) => Number(line) - 2));
    expect(errors.split("\n").filter((line) => /error/.test(line) && !line.startsWith("use.ts"))).toEqual([]);
    expect(pairs.filter((_, index) => broken.has(index)).map(([what]) => what)).toEqual(
      pairs.filter(([, , , breaks]) => breaks.includes("s")).map(([what]) => what),
    );
  });
});

function compile(files: Readonly<Record<string, string>>): string {
  const directory = mkdtempSync(join(tmpdir(), "acp-breaks-"));
  try {
    for (const [name, text] of Object.entries(files)) writeFileSync(join(directory, name), text);
    writeFileSync(
      join(directory, "decoding.ts"),
      readFileSync(join(root, "packages/schema/src/decoding/unknown-variant.ts"), "utf8"),
    );
    writeFileSync(join(directory, "package.json"), `{ "type": "module" }`);
    const options = {
      extends: join(root, "tsconfig.base.json"),
      compilerOptions: { noEmit: true, allowImportingTsExtensions: true },
      include: ["*.ts"],
    };
    writeFileSync(join(directory, "tsconfig.json"), JSON.stringify(options));
    const tsc = join(root, "node_modules/typescript/bin/tsc");
    return spawnSync(process.execPath, [tsc, "-p", ".", "--pretty", "false"], { cwd: directory, encoding: "utf8" })
      .stdout;
  } finally {
    rmSync(directory, { recursive: true });
  }
}
