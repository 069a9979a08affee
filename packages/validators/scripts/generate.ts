/**
 * Compiles the validators into `src/generated/`, unless they exist and fit the schema and the emitter.
 *
 * They are megabytes of build output and not in the repository: the scripts of the package, the installation of the
 * workspace and the test run all start here. With `--dist` they are copied into the built package as well.
 */
import { createHash } from "node:crypto";
import { cp, glob, readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { minify } from "rolldown/utils";

import { readIfPresent, writeTogether } from "../../../codegen/src/pipeline/output.ts";

const root = fileURLToPath(new URL("../../..", import.meta.url));
const generated = fileURLToPath(new URL("../src/generated", import.meta.url));
const dist = fileURLToPath(new URL("../dist/generated", import.meta.url));

/** The schema of each generated module, and the further rules of the strict ones. */
const modules: readonly { readonly name: string; readonly schema: string; readonly rules?: string }[] = [
  { name: "v1", schema: "schema/v1/schema.json" },
  { name: "v1-unstable", schema: "schema/v1/schema.unstable.json" },
  { name: "v2", schema: "schema/v2/schema.json" },
  { name: "v2-unstable", schema: "schema/v2/schema.unstable.json" },
  { name: "v1-strict", schema: "schema/v1/schema.json", rules: "schema/v1/rules.json" },
  { name: "v1-unstable-strict", schema: "schema/v1/schema.unstable.json", rules: "schema/v1/rules.json" },
  { name: "v2-strict", schema: "schema/v2/schema.json", rules: "schema/v2/rules.json" },
  { name: "v2-unstable-strict", schema: "schema/v2/schema.unstable.json", rules: "schema/v2/rules.json" },
];

/** Creates the generated modules unless they are up to date. Vitest calls it before a run. */
export async function setup(): Promise<void> {
  const stamp = await stampOfInputs();
  const stampFile = join(generated, "stamp.txt");
  if ((await readIfPresent(stampFile)) === stamp) return;

  const { emitValidators, parseRules, parseSchemaDocument } =
    await import("../../../codegen/src/emit/validators/index.ts");
  const files = new Map<string, string>();
  for (const { name, schema, rules } of modules) {
    const document = parseSchemaDocument(await readFile(join(root, schema), "utf8"), schema);
    const closed = rules === undefined ? undefined : parseRules(await readFile(join(root, rules), "utf8"), rules);
    const options = { name, strict: true, types: "../runtime/compiled.js", ...(closed && { closed }) };
    for (const [file, content] of Object.entries(await emitValidators(document, options)))
      files.set(join(generated, file), file.endsWith(".js") ? await minified(file, content) : content);
  }
  // Several processes may generate at once: each file appears complete, and all write the same. The stamp comes last.
  await writeTogether(files.set(stampFile, stamp));
}

/** Nobody reads the code, and it is most of what the package weighs. */
async function minified(file: string, code: string): Promise<string> {
  const result = await minify(file, code, { module: true, compress: { target: "es2022" } });
  if (result.errors.length > 0) throw new Error(`${file} cannot be minified: ${JSON.stringify(result.errors)}`);
  return result.code;
}

/** Hashes everything that the output depends on. */
async function stampOfInputs(): Promise<string> {
  const read = modules.flatMap(({ schema, rules = schema }) => [schema, rules]);
  const inputs = [...new Set(read), "packages/validators/scripts/generate.ts"];
  for await (const file of glob(["codegen/src/emit/validators/*.ts", "codegen/src/model/**/*.ts"], { cwd: root })) {
    if (!file.endsWith(".test.ts")) inputs.push(file.replaceAll("\\", "/"));
  }
  const hash = createHash("sha256");
  for (const input of inputs.toSorted()) hash.update(input).update(await readFile(join(root, input)));
  const tools: readonly unknown[] = [
    createRequire(join(root, "codegen/package.json"))("ajv/package.json"),
    createRequire(import.meta.url)("rolldown/package.json"),
  ];
  return hash.update(JSON.stringify(tools)).digest("hex");
}

if (import.meta.main) {
  await setup();
  if (process.argv.includes("--dist"))
    await cp(generated, dist, { recursive: true, filter: (file) => !file.endsWith(".txt") });
}
