import { matchExamples, readExamples } from "../examples/index.ts";
import { readImport } from "../import/import-schemas.ts";
import type { Pruned } from "../import/pruned.ts";
import { pruneVersion, type TextFile } from "../import/prune-version.ts";
import { findSchemaProblems } from "../import/schema-problems.ts";
import { Problems } from "../model/problems.ts";
import { SchemaError } from "../model/schema-document.ts";
import { normalFile, readFileModel, type SchemaFile } from "../model/schema-file.ts";
import { generate } from "../pipeline/generate.ts";
import { writeTogether } from "../pipeline/output.ts";
import {
  type Binding,
  type Instead,
  readBinding,
  readExampleFiles,
  readInputs,
  readSchemaFile,
  readText,
} from "./binding.ts";
import { type BindingValues, type Output, UsageError } from "./command-line.ts";
import { orHint } from "./generate-command.ts";

/**
 * `acp-codegen import`: replaces a schema by the structure of an upstream one, if bindings can be generated from it with
 * the files that belong to it, and prints what changed.
 */
export async function importCommand(
  values: BindingValues & { readonly prune: boolean },
  given: readonly string[],
  output: Output,
): Promise<number> {
  const [upstream, ours] = given;
  if (given.length === 1 || given.length > 2) {
    throw new UsageError("`import` takes the upstream file and our file, or none: see acp-codegen --help");
  }
  const binding = await readBinding(values, ours);
  const from = upstream ?? binding.upstream;
  if (from === undefined) throw new UsageError("`import` needs the upstream file: as an argument, or as `upstream`");
  const { file, document, text, isSame, changes } = await readImport({
    upstream: from,
    ours: binding.schema,
    name: binding.schema,
  });
  const schema: SchemaFile = { path: file.upstream, document, strict: binding.strict ?? false };
  const stale = await findStale(binding, schema);
  const removed = [...stale.values()].flatMap((pruned) => pruned.removed);
  const texts = new Map(values.prune ? [...stale].map(([path, pruned]) => [path, pruned.text]) : []);
  try {
    await check(binding, { schema, texts });
  } catch (error) {
    if (!(error instanceof SchemaError)) throw error;
    const advice =
      values.prune || removed.length === 0
        ? ""
        : " Rename entries about what has a new name. To remove the others, import again with --prune.";
    throw new SchemaError(`${error.message}\nNo file was replaced.${advice}`, { cause: error });
  }
  await writeTogether(new Map([...texts, ...(isSame ? [] : [[file.ours, text] as const])]));
  output.out(changes);
  if (values.prune && removed.length > 0) {
    output.out(`Removed, because the new schema does not have it:\n${removed.map((line) => `  ${line}\n`).join("")}`);
  }
  return 0;
}

/** What rules, prose and examples say of things that the new schema does not have; nothing where that cannot be told. */
async function findStale(binding: Binding, schema: SchemaFile): Promise<ReadonlyMap<string, Pruned>> {
  const { rules, prose, also = [] } = binding;
  const textOf = async (source: string): Promise<TextFile> => ({ source, text: await readText(source) });
  try {
    return pruneVersion({
      schemas: [schema, ...(await Promise.all(also.map(async (path) => await readSchemaFile(path, binding.strict))))],
      ...(rules !== undefined && { rules: await textOf(rules) }),
      ...(prose !== undefined && { prose: await textOf(prose) }),
      examples: await readExampleFiles(binding),
    });
  } catch (error) {
    if (error instanceof SchemaError) return new Map();
    throw error;
  }
}

/** @throws SchemaError that lists all that stops the generator. */
async function check(binding: Binding, instead: Instead): Promise<void> {
  const { schema } = instead;
  const problems = new Problems();
  problems.add(findSchemaProblems(schema));
  const inputs = await problems.collectFrom(readInputs(binding, instead));
  const generated = inputs && (await problems.collectFrom(orHint(generate(inputs), binding)));
  if (generated !== undefined) {
    const examples = await readExampleFiles(binding, instead);
    const alsoIn = (inputs?.alsoIn ?? []).map((file) => readFileModel(normalFile(file)));
    problems.collect(() => matchExamples(readExamples(examples), { ...schema, model: generated.model, alsoIn }));
  }
  problems.throwAll();
}
