import type { ExampleFile } from "../examples/read-examples.ts";
import { normalFile, readFileModel, type SchemaFile } from "../model/schema-file.ts";
import { pruneExamples } from "./prune-examples.ts";
import { pruneProse } from "./prune-prose.ts";
import { pruneRules } from "./prune-rules.ts";
import type { Pruned } from "./pruned.ts";

/** A file, and what it is called in messages. */
export interface TextFile {
  readonly source: string;
  readonly text: string;
}

/** The schemas of a version, and what people wrote about them. */
export interface VersionFiles {
  readonly schemas: readonly SchemaFile[];
  readonly rules?: TextFile;
  readonly prose?: TextFile;
  readonly examples?: readonly ExampleFile[];
}

/**
 * Removes from rules, prose and examples the entries about what none of the schemas has.
 *
 * @returns The files that change, by their names.
 * @throws SchemaError when one of the files cannot be read.
 */
export function pruneVersion({ schemas, rules, prose, examples = [] }: VersionFiles): ReadonlyMap<string, Pruned> {
  const normal = schemas.map((file) => normalFile(file));
  const models = normal.map((file) => readFileModel(file));
  const subjects = schemas.map(({ path, document }, index) => ({
    path,
    document,
    model: models[index]!,
    alsoIn: models.filter((_, other) => other !== index),
  }));
  const documents = normal.map(({ document }) => document);
  const pruned = new Map<string, Pruned>([
    ...(rules === undefined ? [] : [[rules.source, pruneRules(rules.text, rules.source, models)] as const]),
    ...(prose === undefined ? [] : [[prose.source, pruneProse(prose.text, prose.source, documents)] as const]),
    ...examples.map((file) => [file.source, pruneExamples(file, subjects)] as const),
  ]);
  return new Map([...pruned].filter(([, { removed }]) => removed.length > 0));
}
