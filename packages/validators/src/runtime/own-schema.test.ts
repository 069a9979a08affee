import { emitValidators, parseSchemaDocument } from "@acp/codegen";
import { type Compiled, createValidators, type Runtime, runtime } from "@acp/validators/runtime";
import { expect, test } from "vitest";

test("validators of a schema of one's own report mistakes like those of the protocol", async () => {
  const method = { "x-method": "_acme/ping", "x-side": "agent", type: "object" };
  const schema = {
    $defs: {
      PingRequest: { ...method, properties: { at: { type: "integer", format: "uint8" } }, required: ["at"] },
      PingResponse: method,
    },
  };
  const files = await emitValidators(parseSchemaDocument(JSON.stringify(schema), "schema.json"), { name: "own" });
  expect(files["own.d.ts"]).toContain('import type { Compiled, Runtime } from "@acp/validators/runtime";');
  const url = `data:text/javascript,${encodeURIComponent(files["own.js"] ?? "")}`;
  const { compile }: { compile: (given: Runtime) => Compiled } = await import(url);
  const { validateRequest } = createValidators(compile(runtime));
  expect(validateRequest("_acme/ping", { at: 255 })).toEqual({ ok: true });
  const errors = [{ path: "/at", reason: expect.stringContaining("uint8") }];
  expect(validateRequest("_acme/ping", { at: 256 })).toEqual({ ok: false, errors });
});

test("validators of a schema whose definitions contain themselves reject endless nesting", async () => {
  const next = { anyOf: [{ $ref: "#/$defs/TreeNotification" }, { type: "null" }] };
  const tree = { "x-method": "_acme/tree", "x-side": "agent", type: "object", properties: { next } };
  const schema = parseSchemaDocument(JSON.stringify({ $defs: { TreeNotification: tree } }), "schema.json");
  const code = (await emitValidators(schema))["validators.js"] ?? "";
  const { compile }: { compile: (given: Runtime) => Compiled } = await import(
    `data:text/javascript,${encodeURIComponent(code)}`
  );
  const { validateNotification } = createValidators(compile(runtime));
  const nested = (levels: number): unknown => JSON.parse(`${'{"next":'.repeat(levels)}null${"}".repeat(levels)}`);
  expect(validateNotification("_acme/tree", nested(100))).toEqual({ ok: true });
  const errors = [{ path: "", reason: "is nested too deep" }];
  expect(validateNotification("_acme/tree", nested(100_000))).toEqual({ ok: false, errors });
});

test.each<[string, object, unknown, string, string]>([
  ["a bound that is not part of it", { type: "number", exclusiveMinimum: 0 }, 0, "", "expected more than 0"],
  ["a multiple", { type: "integer", multipleOf: 5 }, 7, "", "expected a multiple of 5"],
  ["the number of items", { type: "array", maxItems: 1 }, [1, 2], "", "expected at most 1 items"],
  [
    "items that are equal",
    { type: "array", uniqueItems: true },
    [{ a: [1] }, 2, { a: [1] }],
    "/2",
    "equals the item 0",
  ],
  ["the length of a text", { type: "string", maxLength: 1 }, "😀b", "", "expected at most 1 characters"],
  ["a pattern", { type: "string", pattern: "^a" }, "b", "", "expected text that matches ^a"],
  ["the names of members", { type: "object", propertyNames: { enum: ["a"] } }, { b: 1 }, "/b", "is not a name that"],
  [
    "a member that may not be",
    { type: "object", properties: { a: false } },
    { a: 1 },
    "/a",
    "is a value that the schema rules out",
  ],
  ["what is ruled out", { type: "string", not: { const: "a" } }, "a", "", "is a value that the schema rules out"],
])("validators say what is wrong with %s", async (_what, definition, value, path, reason) => {
  const document = parseSchemaDocument(JSON.stringify({ $defs: { Own: definition } }), "schema.json");
  const code = (await emitValidators(document))["validators.js"] ?? "";
  const { compile }: { compile: (given: Runtime) => Compiled } = await import(
    `data:text/javascript,${encodeURIComponent(code)}`
  );
  const { validate } = createValidators(compile(runtime));
  const errors = expect.arrayContaining([{ path, reason: expect.stringContaining(reason) }]);
  expect(validate("Own", value)).toEqual({ ok: false, errors });
});
