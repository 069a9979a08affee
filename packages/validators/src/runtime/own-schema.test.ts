import { emitValidators, parseSchemaDocument } from "@acp/codegen";
import { type Compiled, createValidators, type Runtime, runtime } from "@acp/validators/runtime";
import { expect, test } from "vitest";

test("validators of a schema of one's own say what is wrong as those of the protocol do", async () => {
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

test("validators of a schema whose definitions contain themselves refuse what is nested without end", async () => {
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
