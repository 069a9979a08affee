import { readdir, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { emitReference, emitReferenceIndex, type ReferenceOptions } from "../emit/reference/index.ts";
import { type ExampleFile, type Examples, matchExamples, readExamples } from "../examples/index.ts";
import { Problems } from "../model/problems.ts";
import type { ProtocolModel } from "../model/protocol-model.ts";
import { parseRules } from "../model/rules.ts";
import { parseSchemaDocument, type SchemaDocument } from "../model/schema-document.ts";
import { readFileModel } from "../model/schema-file.ts";
import { type Generated, generate } from "./generate.ts";

/** One of the four schemas that this repository keeps. */
export interface WorkspaceSchema {
  readonly version: "v1" | "v2";
  readonly stability: "stable" | "unstable";
  /** The schema, relative to the root of the repository. */
  readonly path: string;
  /** The folder of the generated modules, relative to the root. */
  readonly out: string;
  /** From there to `packages/schema/src`. */
  readonly toSource: string;
}

/** The schemas of this repository, and where their bindings go. */
export const workspaceSchemas: readonly WorkspaceSchema[] = (["v1", "v2"] as const).flatMap((version) => [
  {
    version,
    stability: "stable" as const,
    path: `schema/${version}/schema.json`,
    out: `packages/schema/src/${version}`,
    toSource: "..",
  },
  {
    version,
    stability: "unstable" as const,
    path: `schema/${version}/schema.unstable.json`,
    out: `packages/schema/src/${version}/unstable`,
    toSource: "../..",
  },
]);

/** Everything that is generated and committed. */
export interface WorkspaceOutput {
  /** Absolute path to content. */
  readonly files: ReadonlyMap<string, string>;
  /** Folders that hold generated files, absolute. */
  readonly directories: readonly string[];
  /** What has no prose yet, by schema. */
  readonly undocumented: ReadonlyMap<string, readonly string[]>;
  /** Methods and session updates without an example, by schema. */
  readonly withoutExample: ReadonlyMap<string, readonly string[]>;
}

/** The folder of the reference, relative to the root. Nothing in it is written by hand. */
const reference = "docs/protocol";

/**
 * Generates all that this repository keeps, from `schema/` under `root`. Writes nothing.
 *
 * @throws SchemaError that lists what in `schema/` is not understood, and every example that is not valid.
 */
export async function generateWorkspace(root: string): Promise<WorkspaceOutput> {
  const files = new Map<string, string>();
  const undocumented = new Map<string, readonly string[]>();
  const withoutExample = new Map<string, readonly string[]>();
  const editions: ReferenceOptions[] = [];
  for (const { schema, generated, examples, stable } of await generateAll(root)) {
    withoutExample.set(schema.path, examples.missing);
    const introduction = await readText(root, `schema/${schema.version}/introduction.md`);
    const edition: ReferenceOptions = { ...editionOf(schema, stable), introduction, examples };
    editions.push(edition);
    for (const [name, content] of Object.entries(generated.files)) files.set(join(root, schema.out, name), content);
    for (const [name, content] of Object.entries(emitReference(generated.model, edition)))
      files.set(join(root, reference, name), content);
    undocumented.set(schema.path, generated.undocumented);
  }
  for (const [name, content] of Object.entries(emitReferenceIndex(editions)))
    files.set(join(root, reference, name), content);
  return { files, directories: [...new Set([...files.keys()].map(dirname))], undocumented, withoutExample };
}

/** What is made of one schema. */
interface Edition {
  readonly schema: WorkspaceSchema;
  readonly generated: Generated;
  readonly examples: Examples;
  /** The stable model beside an unstable one. */
  readonly stable: ProtocolModel | undefined;
}

/** Generates from each schema, and looks at the examples even where rules or prose do not fit. */
async function generateAll(root: string): Promise<readonly Edition[]> {
  const problems = new Problems();
  const models = new Map<string, ProtocolModel>();
  const all: { readonly schema: WorkspaceSchema; readonly generated: Generated | undefined }[] = [];
  for (const schema of workspaceSchemas) {
    const generated = await problems.collectFrom(generateOne(root, schema));
    const model = generated?.model ?? (await problems.collectFrom(readModelOf(root, schema.path)));
    if (model !== undefined) models.set(schema.path, model);
    all.push({ schema, generated });
  }
  const editions: Edition[] = [];
  for (const { schema, generated } of all) {
    const others = workspaceSchemas.filter(({ version, path }) => version === schema.version && path !== schema.path);
    const model = models.get(schema.path);
    const alsoIn = others.flatMap(({ path }) => models.get(path) ?? []);
    // What an example is of cannot be told while a schema of the version is not understood.
    if (model === undefined || alsoIn.length < others.length) continue;
    const subject = { document: await readDocument(root, schema.path), model, alsoIn };
    const files = await exampleFiles(root, schema.version);
    const examples = problems.collect(() => matchExamples(readExamples(files), subject));
    const stable = schema.stability === "unstable" ? alsoIn[0] : undefined;
    if (generated !== undefined && examples !== undefined) editions.push({ schema, generated, examples, stable });
  }
  problems.throwAll();
  return editions;
}

function editionOf({ version, stability }: WorkspaceSchema, stable: ProtocolModel | undefined): ReferenceOptions {
  const title = `Version ${version.slice(1)}`;
  if (stability === "stable") return { folder: version, title };
  return { folder: `${version}-unstable`, title: `${title}, unstable`, ...(stable !== undefined && { stable }) };
}

/** The files with the examples of a version, in the order of their names. */
async function exampleFiles(root: string, version: string): Promise<readonly ExampleFile[]> {
  const folder = `schema/${version}/examples`;
  const names = (await readdir(join(root, folder))).filter((name) => name.endsWith(".json")).toSorted();
  const paths = names.map((name) => `${folder}/${name}`);
  return await Promise.all(paths.map(async (source) => ({ source, text: await readText(root, source) })));
}

async function generateOne(root: string, { version, path, toSource }: WorkspaceSchema): Promise<Generated> {
  const others = workspaceSchemas.filter((other) => other.version === version && other.path !== path);
  const rules = `schema/${version}/rules.json`;
  const prose = `schema/${version}/prose.md`;
  const bases: Record<string, string> = version === "v1" ? {} : { v1: await readText(root, "schema/v1/prose.md") };
  return await generate({
    schema: { path, document: await readDocument(root, path) },
    source: `${path} and ${rules}`,
    rules: parseRules(await readText(root, rules), rules),
    prose: { text: await readText(root, prose), source: prose, bases },
    alsoIn: await Promise.all(
      others.map(async (other) => ({ ...other, document: await readDocument(root, other.path) })),
    ),
    runtime: `${toSource}/decoding/index.ts`,
    protocol: `${toSource}/protocol.ts`,
  });
}

async function readModelOf(root: string, path: string): Promise<ProtocolModel> {
  return readFileModel({ path, document: await readDocument(root, path) });
}

async function readDocument(root: string, path: string): Promise<SchemaDocument> {
  return parseSchemaDocument(await readText(root, path), path);
}

async function readText(root: string, path: string): Promise<string> {
  return await readFile(join(root, path), "utf8");
}
