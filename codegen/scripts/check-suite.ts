/**
 * Holds the generator to the JSON Schema Test Suite, draft 2020-12, in a folder that you have it in:
 *
 *     node --conditions=@acp/source scripts/check-suite.ts <folder>     (or JSON_SCHEMA_TEST_SUITE=<folder>)
 *
 * Each group is generated twice: as a document of its own, and as a definition of one. Prints the groups that are
 * refused, the verdicts of validators that are not those of the suite, and how many valid values decoders refuse.
 * `--all` also lists the latter, `--optional` reads the optional files as well. Fails if anything is wrong that is not
 * out of scope: references to other documents, and another `$schema`.
 */
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { emitValidators } from "../src/emit/validators/index.ts";
import { parseSchemaDocument } from "../src/model/schema-document.ts";
import { generate } from "../src/pipeline/generate.ts";

interface Group {
  readonly description: string;
  readonly schema: unknown;
  readonly tests: readonly { readonly description: string; readonly data: unknown; readonly valid: boolean }[];
}

type Runtime = Parameters<typeof decode>[0];

const { decode } = await import("../../packages/schema/src/index.ts");
const { runtime } = await import("../../packages/validators/src/runtime/index.ts");
const schemaModule = pathToFileURL(fileURLToPath(new URL("../../packages/schema/src/index.ts", import.meta.url))).href;

/** What a reason says that is about more than one document. */
const outOfScope = /which is another document/;

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: { all: { type: "boolean" }, optional: { type: "boolean" } },
});
const given = positionals[0] ?? process.env["JSON_SCHEMA_TEST_SUITE"];
if (given === undefined) throw new Error("Name the folder of the suite: check-suite.ts <folder>");
const folder = join(resolve(process.env["INIT_CWD"] ?? process.cwd(), given), "tests/draft2020-12");
const folders = [folder, ...(options.optional ? [join(folder, "optional")] : [])];

const scratch = await mkdtemp(join(tmpdir(), "acp-suite-"));
const counts = { groups: 0, refused: 0, foreign: 0, verdicts: 0, wrong: 0, decoded: 0, typed: 0 };
let number = 0;
try {
  for (const directory of folders) {
    for (const file of (await readdir(directory)).filter((name) => name.endsWith(".json")).toSorted()) {
      const groups = JSON.parse(await readFile(join(directory, file), "utf8")) as readonly Group[];
      for (const group of groups) {
        counts.groups++;
        for (const form of ["document", "definition"] as const) await checkGroup(file, group, form);
      }
    }
  }
} finally {
  await rm(scratch, { recursive: true });
}
process.stdout.write(`${JSON.stringify(counts)}\n`);
process.exitCode = counts.refused + counts.wrong === 0 ? 0 : 1;

async function checkGroup(file: string, group: Group, form: "document" | "definition"): Promise<void> {
  const place = `${file}: ${group.description} [${form}]`;
  const { schema } = group;
  const isObject = typeof schema === "object" && schema !== null;
  if (!isObject && form === "document") return;
  // Another dialect, which only another document describes.
  if (/"\$schema":"http:\/\/localhost/.test(JSON.stringify(schema))) return;
  // A definition with an `$id` is a document in the document.
  const inner = isObject ? { $id: "https://suite.invalid/group", ...schema } : schema;
  const text = JSON.stringify(
    form === "document" ? { ...(schema as object), title: "Value" } : { $defs: { Value: inner } },
  );
  let decoders: Readonly<Record<string, unknown>>;
  let validators: Readonly<Record<string, (value: unknown) => boolean>>;
  try {
    const document = parseSchemaDocument(text, "schema.json");
    const { files, warnings } = await generate({
      schema: { path: "schema.json", document },
      source: file,
      runtime: schemaModule,
    });
    // What such a reference leads to may be anything: the verdicts are not those of the suite.
    const elsewhere = warnings.find((warning) => outOfScope.test(warning));
    if (elsewhere !== undefined) throw new Error(elsewhere);
    const compiled = await emitValidators(document, { source: "schema.json" });
    const name = `group-${number++}`;
    await writeFile(join(scratch, `${name}.ts`), files["decoders.ts"]!);
    await writeFile(join(scratch, `${name}.mjs`), compiled["validators.js"]!);
    decoders = await import(pathToFileURL(join(scratch, `${name}.ts`)).href);
    validators = (await import(pathToFileURL(join(scratch, `${name}.mjs`)).href)).compile(runtime).definitions;
  } catch (error) {
    const reason = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
    if (outOfScope.test(reason)) {
      counts.foreign++;
      if (options.all) process.stdout.write(`ELSEWHERE ${place}: ${reason.split("\n")[0]}\n`);
    } else {
      counts.refused++;
      process.stdout.write(`REFUSED ${place}\n  ${reason.split("\n").slice(0, 3).join("\n  ")}\n`);
    }
    return;
  }
  for (const { description, data, valid } of group.tests) {
    counts.verdicts++;
    if (validators["Value"]!(data) !== valid) {
      counts.wrong++;
      process.stdout.write(`WRONG ${place}: ${description}: ${JSON.stringify(data)} is ${valid ? "" : "not "}valid\n`);
    }
    if (!valid) continue;
    counts.decoded++;
    const result = decode(decoders["decodeValue"] as Runtime, data);
    if (result.ok) continue;
    counts.typed++;
    if (options.all) process.stdout.write(`TYPED ${place}: ${description}: ${JSON.stringify(data)}\n`);
  }
}
