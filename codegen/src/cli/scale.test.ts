import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, expect, test } from "vitest";
import type { JsonSchema } from "../model/schema-document.ts";

const cli = fileURLToPath(new URL("../cli.ts", import.meta.url));
const directory = mkdtempSync(join(tmpdir(), "acp-scale-"));
afterAll(() => rmSync(directory, { recursive: true }));

/** How many definitions, and the heap for them, in MB. */
const { count, heap } = process.env["THOROUGH"] === undefined ? { count: 500, heap: 50 } : { count: 2000, heap: 200 };
const ref = (index: number): JsonSchema => ({ $ref: `#/$defs/Type${index % count}Def` });
const string: JsonSchema = { type: "string" };

/** An object of eight members, and every tenth time a union of five variants. */
function definition(index: number): JsonSchema {
  if (index % 10 === 9) {
    const variants = [1, 2, 3, 4, 5].map((back) => ({
      type: "object",
      properties: { kind: { const: `v${back}` }, [`x${back}`]: string },
      required: ["kind"],
      allOf: [ref(index - back)],
    }));
    return { description: `Union ${index}.`, oneOf: variants };
  }
  const pair = { type: "object", properties: { a: string, b: { type: "array", items: string } }, required: ["a"] };
  const shapes: readonly JsonSchema[] = [
    string,
    { type: ["integer", "null"], format: "uint32", minimum: 0 },
    { type: "array", items: ref(7 * index) },
    ref(13 * index + 1),
    { anyOf: [ref(index + 1), { type: "null" }] },
    pair,
    string,
    { type: "object", additionalProperties: ref(3 * index) },
  ];
  const description = (member: number): string =>
    `What member ${member} of type ${index} is about, in one sentence of usual length.`;
  const members = shapes.map((shape, member) => [`member${member}`, { description: description(member), ...shape }]);
  return { type: "object", properties: Object.fromEntries(members), required: ["member0"] };
}

/** Runs the command with a small heap: V8 takes more where it may, and ends a process that needs more. */
async function run(...args: readonly string[]): Promise<string> {
  const options = ["--conditions=@acp/source", `--max-old-space-size=${heap}`, cli, ...args];
  return await new Promise((resolve, reject) => {
    execFile(process.execPath, options, { cwd: directory, encoding: "utf8" }, (failure, out) =>
      failure === null ? resolve(out) : reject(failure),
    );
  });
}

test("generates definitions of 2 kB each in a small heap", async () => {
  const definitions = Array.from({ length: count }, (_, index) => [`Type${index}Def`, definition(index)]);
  const schema = JSON.stringify({ $defs: Object.fromEntries(definitions) }, null, 2);
  expect(schema.length).toBeGreaterThan(2e3 * count);
  writeFileSync(join(directory, "schema.json"), schema);
  const out = await run("generate", "schema.json", "--out", "out");
  expect(out).toBe("4 files generated, 4 written, 0 removed.\n");
  const declared = readFileSync(join(directory, "out/types.ts"), "utf8").match(/^export (?:interface|type) /gm);
  expect(declared).toHaveLength(count);
});
