// Every form of a schema: types that compile, decoders and validators that are held against ajv.
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import * as fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { normalizeDocument } from "../model/normalize/normalize-document.ts";
import type { SchemaDocument } from "../model/schema-document.ts";
import { generate } from "../pipeline/generate.ts";
import { ajvVerdicts, formatChecks, tolerantVerdicts, type Verdict } from "../testing/form-oracle.ts";
import { formNames, readForm } from "../testing/forms.ts";
import { copyJson } from "../testing/json.ts";
import { likelyValues } from "../testing/likely-values.ts";
import { mutated } from "../testing/mutations.ts";
import { emitDecoders } from "./decoders/index.ts";
import { emitValidators } from "./validators/index.ts";

const root = fileURLToPath(new URL("../../../", import.meta.url));
const runtime = ["decoding/index.ts", "protocol.ts"].map((file) => join(root, "packages/schema/src", file));
const folder = mkdtempSync(join(tmpdir(), "acp-forms-"));

/** Writes what the generated modules import: from where they run, as URLs, and from where they are compiled, as paths. */
function writeRuntime(address: (file: string) => string): void {
  const lines = runtime.map((file) => `export * from ${JSON.stringify(address(file))};\n`);
  writeFileSync(join(folder, "runtime.ts"), lines.join(""));
}

beforeAll(() => writeRuntime((file) => pathToFileURL(file).href));
afterAll(() => rmSync(folder, { recursive: true }));

/** Writes all that is generated from a form into a folder of its own. */
async function generateForm(name: string): Promise<SchemaDocument> {
  const document = readForm(name);
  const options = { source: `${name}.json`, runtime: "../runtime.ts" };
  const { files, model } = await generate({ schema: { path: `${name}.json`, document }, ...options });
  const emitted = { runtime: "../runtime.ts", received: "./received.ts", header: [] };
  const normal = normalizeDocument(document);
  const written = {
    ...files,
    "described.ts": emitDecoders({ ...model, hot: [] }, emitted),
    "values.ts": valuesModule(normal),
    ...(await emitValidators(document)),
  };
  mkdirSync(join(folder, name), { recursive: true });
  for (const [file, content] of Object.entries(written)) writeFileSync(join(folder, name, file), content);
  return normal;
}

/** The examples of a schema, as values of the types. */
function valuesModule({ $defs }: SchemaDocument): string {
  const lines = Object.entries($defs).flatMap(([name, schema]) => {
    const { examples = [] } = schema as { examples?: readonly unknown[] };
    return examples.length === 0 ? [] : [`export const of${name}: sent.${name}[] = ${JSON.stringify(examples)};`];
  });
  return ['import type * as sent from "./types.ts";', ...lines].join("\n");
}

interface Loaded {
  readonly decode: (decoder: unknown, value: unknown) => { readonly ok: boolean; readonly reason?: string };
  readonly written: Readonly<Record<string, unknown>>;
  readonly described: Readonly<Record<string, unknown>>;
  readonly validators: Readonly<Record<string, Verdict>>;
}

async function load(name: string): Promise<Loaded> {
  const module = async (...path: string[]): Promise<Record<string, never>> =>
    await import(/* @vite-ignore */ pathToFileURL(join(folder, ...path)).href);
  const { decode } = await module("runtime.ts");
  const { compile } = (await module(name, "validators.js")) as unknown as {
    compile: (runtime: object) => { readonly definitions: Loaded["validators"] };
  };
  const codePoints = (text: string): number => Array.from(text).length;
  return {
    decode: decode!,
    written: await module(name, "decoders.ts"),
    described: await module(name, "described.ts"),
    validators: compile({ codePoints, formats: formatChecks }).definitions,
  };
}

describe.each(formNames)("a schema with %s", (name) => {
  test("has decoders that accept the same values as ajv, and validators that agree with it", async () => {
    const document = await generateForm(name);
    const { decode, written, described, validators } = await load(name);
    const exact = ajvVerdicts(readForm(name));
    const tolerant = tolerantVerdicts(document);
    const values = likelyValues(document);
    const verdicts = { valid: 0, broken: 0 };
    for (const [index, definition] of Object.keys(document.$defs).entries()) {
      const isValid = exact[index]!;
      const check = (generated: unknown): void => {
        const value = copyJson(generated);
        const about = `${definition} ${JSON.stringify(value)}`;
        const valid = isValid(value);
        if (valid === undefined) return;
        verdicts[valid ? "valid" : "broken"]++;
        if (validators[definition]!(value) !== valid)
          expect.fail(`${about}: ajv says ${valid}, the validator does not`);
        for (const decoders of [written, described]) {
          const decoded = decode(decoders[`decode${definition}`], value);
          if (valid && !decoded.ok) expect.fail(`${about}: ajv takes it, the decoder does not: ${decoded.reason}`);
          if (decoded.ok && !tolerant[index]!(value)) expect.fail(`${about}: the decoder tolerates too much`);
        }
      };
      const { examples = [] } = document.$defs[definition] as { examples?: readonly unknown[] };
      for (const example of examples) {
        expect(isValid(example), `${definition} ${JSON.stringify(example)}`).toBe(true);
        check(example);
      }
      const likely = values[definition]!;
      fc.assert(fc.property(fc.oneof(likely, mutated(likely)), check), { seed: 26, numRuns: 150 });
    }
    // The comparison means something only when both verdicts are common.
    expect(verdicts.valid).toBeGreaterThan(100);
    expect(verdicts.broken).toBeGreaterThan(100);
  });
});

test("the types of all forms compile, and take the examples", () => {
  writeRuntime((file) => file);
  const compilerOptions = { noEmit: true, allowImportingTsExtensions: true, rewriteRelativeImportExtensions: false };
  const config = { extends: join(root, "tsconfig.base.json"), compilerOptions, include: ["**/*.ts"] };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(config));
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
  const tsc = join(root, "node_modules/typescript/bin/tsc");
  expect(spawnSync(process.execPath, [tsc, "-p", folder], { encoding: "utf8" }).stdout).toBe("");
});
