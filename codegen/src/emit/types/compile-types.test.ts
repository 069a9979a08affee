import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import type { Definition, TaggedUnion } from "../../model/protocol-model.ts";
import { readModel } from "../../model/read-model.ts";
import type { JsonSchema, SchemaDocument } from "../../model/schema-document.ts";
import { openUnions, readSchema, schemaNames } from "../../testing/index.ts";
import { emitTypes } from "./index.ts";

const root = fileURLToPath(new URL("../../../../", import.meta.url));

/** What tsc says about a program that imports the types of a document as `sent` and `received`. */
async function compile(document: SchemaDocument, opened: readonly string[], program: string): Promise<string> {
  const files = {
    ...(await emitTypes({ ...readModel(document), openUnions: opened }, { decodingModule: "./decoding.ts" })),
    "decoding.ts": readFileSync(join(root, "packages/schema/src/decoding/unknown-variant.ts"), "utf8"),
    "program.ts": [
      `import { unknownVariant } from "./decoding.ts";`,
      `import type * as received from "./received.ts";`,
      `import type * as sent from "./types.ts";`,
      program,
    ].join("\n"),
    "package.json": `{ "type": "module" }`,
    "tsconfig.json": JSON.stringify({
      extends: join(root, "tsconfig.base.json"),
      compilerOptions: { noEmit: true, allowImportingTsExtensions: true },
      include: ["*.ts"],
    }),
  };
  const directory = mkdtempSync(join(tmpdir(), "acp-types-"));
  try {
    for (const [name, text] of Object.entries(files)) writeFileSync(join(directory, name), text);
    const tsc = join(root, "node_modules/typescript/bin/tsc");
    return spawnSync(process.execPath, [tsc, "-p", directory], { encoding: "utf8" }).stdout;
  } finally {
    rmSync(directory, { recursive: true });
  }
}

describe("emitTypes() output under tsc", () => {
  const document: SchemaDocument = {
    $defs: {
      Update: {
        oneOf: [
          {
            type: "object",
            properties: { is: { const: "text" } },
            required: ["is"],
            allOf: [{ $ref: "#/$defs/Text" }],
          },
          { type: "object", properties: { is: { const: "end" } }, required: ["is"] },
        ],
      },
      Text: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
    },
  };

  test("rejects values that are not of the protocol", async () => {
    const program = `
      export const good: sent.Update[] = [{ is: "text", text: "" }, { is: "end" }];
      // @ts-expect-error a member is missing
      export const missing: sent.Update = { is: "text" };
      // @ts-expect-error a member is too many
      export const excess: sent.Update = { is: "text", text: "", txt: "" };
      // @ts-expect-error a member of another variant
      export const other: sent.Update = { is: "end", text: "" };
      // @ts-expect-error null is not absent
      export const cleared: sent.Update = { is: "text", text: null };
      // @ts-expect-error no such variant
      export const unknown: sent.Update = { is: "middle" };
      // @ts-expect-error variants one does not know are received, not sent
      export const forwarded: sent.Update = { is: unknownVariant, received: {} };
      export const got: received.Update = { is: unknownVariant, received: {} };
    `;
    expect(await compile(document, ["Update"], program)).toBe("");
  });

  test("has the members that decoders require, in any form of the shape", async () => {
    const string = { type: "string" };
    const object = (properties: Record<string, JsonSchema>): JsonSchema => ({ type: "object", properties });
    const values: readonly JsonSchema[] = [
      string,
      { type: "array", items: { $ref: "#/$defs/Json" } },
      { type: "object", additionalProperties: { $ref: "#/$defs/Json" } },
    ];
    const shapes: SchemaDocument = {
      $defs: {
        Json: { anyOf: values },
        Nested: { type: "object", additionalProperties: { $ref: "#/$defs/Nested" } },
        Headers: { type: "object", additionalProperties: { type: "array", items: string } },
        Marks: object({ marks: { type: "object", additionalProperties: object({ at: { type: "integer" } }) } }),
        Beside: { ...object({ id: string }), required: ["id"], anyOf: [{ $ref: "#/$defs/Y" }, { $ref: "#/$defs/Z" }] },
        Y: { ...object({ y: string }), required: ["y"] },
        Z: { ...object({ z: string }), required: ["z"] },
        Untyped: { properties: { a: string }, required: ["a"], allOf: [{ $ref: "#/$defs/Y" }] },
        Inherited: { ...object({ hasOwnProperty: string, toString: string }), required: ["hasOwnProperty"] },
        Constant: { anyOf: [{ const: "x" }, { type: "null" }] },
        Levels: { type: "array", items: { type: "integer", enum: [1, 2] } },
      },
    };
    const program = `
      export const json: sent.Json = { a: ["b", { c: {} }] };
      export const nested: sent.Nested = { a: { b: {} } };
      export const headers: sent.Headers = { a: ["b"] };
      export const marks: sent.Marks = { marks: { a: { at: 1 } } };
      export const beside: sent.Beside[] = [{ id: "1", y: "a" }, { id: "1", z: "a" }];
      export const untyped: sent.Untyped = { a: "a", y: "y" };
      export const inherited: Pick<sent.Inherited, "hasOwnProperty"> = { hasOwnProperty: "a" };
      export const constants: sent.Constant[] = ["x", null];
      // @ts-expect-error another value
      export const another: sent.Constant = "y";
      export const levels: sent.Levels = [1, 2];
      // @ts-expect-error no list
      export const level: sent.Levels = 1;
      // @ts-expect-error neither y nor z
      export const neither: sent.Beside = { id: "1" };
      // @ts-expect-error a is missing
      export const part: sent.Untyped = { y: "y" };
      // @ts-expect-error no list
      export const header: sent.Headers = { a: "b" };
      export type Got = received.Json; void unknownVariant;
    `;
    expect(await compile(shapes, [], program)).toBe("");
  });

  test("narrows a union by its discriminator, whether the branches have its values or its mapping does", async () => {
    const pet = (name: string, schema: JsonSchema): JsonSchema => ({
      type: "object",
      properties: { kind: { type: "string" }, [name]: schema },
      required: ["kind", name],
    });
    const $defs: Record<string, JsonSchema> = {
      Cat: pet("lives", { type: "integer" }),
      Dog: pet("bark", { type: "boolean" }),
      Pet: {
        oneOf: [{ $ref: "#/$defs/Cat" }, { $ref: "#/$defs/Dog" }],
        discriminator: { propertyName: "kind", mapping: { cat: "#/$defs/Cat", dog: "Dog" } },
      },
    };
    const program = `
      export function tell(pet: sent.Pet): number {
        switch (pet.kind) {
          case "cat": return pet.lives;
          case "dog": return Number(pet.bark);
          default: return pet satisfies never;
        }
      }
      // @ts-expect-error a member of the other branch
      export const wrong: sent.Pet = { kind: "cat", bark: true };
      export type Got = received.Pet; void unknownVariant;
    `;
    expect(await compile({ $defs }, [], program)).toBe("");
  });

  test("reports a program that is wrong", async () => {
    const program = `export const wrong: sent.Update = { is: "text" }; void unknownVariant;`;
    expect(await compile(document, ["Update"], `${program} export type Got = received.Update;`)).toContain("TS2322");
  });

  test.each(schemaNames)("narrows every union and closes every closed enum of %s", async (name) => {
    const schema = readSchema(name);
    const opened = openUnions(name);
    const definitions = [...readModel(schema).definitions.values()];
    const checks = definitions.flatMap((definition) => [
      ...unionChecks(definition, opened.includes(definition.name)),
      ...enumerationChecks(definition),
    ]);
    expect(checks.length).toBeGreaterThan(30);
    expect(await compile(schema, opened, checks.join("\n"))).toBe("");
  });
});

/** Functions that switch over the tag of a union, and do not compile unless each case has its payload's type. */
function unionChecks({ name, shape }: Definition, isOpened: boolean): readonly string[] {
  if (shape.kind !== "object" || shape.union?.kind !== "tagged") return [];
  const { union } = shape;
  const isOpen = isOpened || union.other !== undefined;
  return [
    switchOver("sent", name, union, []),
    switchOver("received", name, union, isOpen ? [`case unknownVariant: return value.received;`] : []),
    `// @ts-expect-error no such tag`,
    `export const bad${name}: sent.${name}[${JSON.stringify(union.tag)}] = "no such tag";`,
  ];
}

function switchOver(family: "sent" | "received", name: string, union: TaggedUnion, unknown: readonly string[]): string {
  const fallback =
    union.fallback === undefined ? [] : [{ ...union.fallback, cases: [union.fallback.value, undefined] }];
  const branches = [...union.variants.map((variant) => ({ ...variant, cases: [variant.value] })), ...fallback];
  const clauses = branches.map(({ cases, shape }) => {
    const labels = cases.map((value) => `case ${JSON.stringify(value)}:`).join(" ");
    const payloads = shape.includes.map((included) => ` satisfies ${family}.${included}`).join("");
    return `${labels} return value${payloads};`;
  });
  return [
    `export function ${family}${name}(value: ${family}.${name}): unknown {`,
    `switch (value.${union.tag}) {`,
    ...clauses,
    ...unknown,
    // TypeScript narrows unions only: of a single variant, the tag alone becomes never.
    `default: return ${clauses.length + unknown.length === 1 ? `value.${union.tag}` : "value"} satisfies never; } }`,
  ].join("\n");
}

function enumerationChecks({ name, shape }: Definition): readonly string[] {
  if (shape.kind !== "enumeration") return [];
  const other = shape.base === "string" ? `"no such value"` : "424242";
  const known = shape.values.map(({ value }) => JSON.stringify(value)).join(", ");
  return [
    `export const known${name}: sent.${name}[] = [${known}];`,
    shape.open === undefined ? "// @ts-expect-error the enum is closed" : "",
    `export const other${name}: sent.${name} = ${other};`,
  ];
}
