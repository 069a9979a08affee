import { join } from "node:path";
import { type ImportedSchema, readImport } from "../import/import-schemas.ts";
import { completeProse } from "../import/prune-prose.ts";
import { pruneVersion } from "../import/prune-version.ts";
import { findSchemaProblems } from "../import/schema-problems.ts";
import { Problems } from "../model/problems.ts";
import { SchemaError } from "../model/schema-document.ts";
import { normalFile, type SchemaFile } from "../model/schema-file.ts";
import type { Report } from "./generate-repository.ts";
import { writeTogether } from "./output.ts";
import { type Sources, sourcesOf } from "./sources.ts";
import {
  generateEditions,
  type ProtocolVersion,
  protocolVersions,
  readDocument,
  readExampleFiles,
  workspaceSchemas,
} from "./workspace.ts";

/** Which schemas {@link importRepository} replaces, and whether it removes stale entries. */
export interface ImportOptions {
  /** The versions whose schemas are replaced; all by default. */
  readonly only?: readonly ProtocolVersion[];
  /** Removes the rules, prose and examples of what the new schemas do not have. */
  readonly prune?: boolean;
}

/** New texts of files, by their paths in the repository, and what was removed from them. */
interface Changes {
  readonly texts: ReadonlyMap<string, string>;
  readonly removed: readonly string[];
}

/**
 * Replaces the schemas that the repository at `root` keeps by those of `upstream`: a folder laid out like its `schema/`.
 * Replaces them together, and only if everything can be generated from all that is replaced.
 *
 * @returns The exit code: 1 when one of them cannot be read or does not generate; then nothing has been written.
 */
export async function importRepository(
  root: string,
  upstream: string,
  { only = protocolVersions, prune = false }: ImportOptions,
  report: Report,
): Promise<0 | 1> {
  const problems = new Problems();
  const taken: ImportedSchema[] = [];
  for (const { path } of workspaceSchemas.filter(({ version }) => only.includes(version))) {
    const file = { upstream: join(upstream, path.replace(/^schema\//, "")), ours: join(root, path), name: path };
    const schema = await problems.collectFrom(readImport(file));
    if (schema !== undefined) taken.push(schema);
  }
  const schemas: ReadonlyMap<string, string> = new Map(taken.map(({ file, text }) => [file.name, text]));
  const readable = taken.filter(({ file, document }) => {
    const found = findSchemaProblems({ path: file.upstream, document });
    problems.add(found);
    return found.length === 0;
  });
  // What people wrote about a version is held against all its schemas: not while one of them is not understood.
  const versions = only.filter((version) =>
    workspaceSchemas.every(
      ({ version: own, path }) => own !== version || readable.some(({ file }) => file.name === path),
    ),
  );
  const stale = await problems.collectFrom(pruneVersions(sourcesOf(root, schemas), versions));
  const pruned = prune ? stale?.texts : undefined;
  const changed = new Map([...schemas, ...(pruned ?? [])]);
  const touched = protocolVersions.filter(
    (version) => versions.includes(version) || pruned?.has(`schema/${version}/prose.md`) === true,
  );
  await problems.collectFrom(generateEditions(sourcesOf(root, changed), touched));
  try {
    problems.throwAll();
  } catch (error) {
    if (!(error instanceof SchemaError)) throw error;
    report.error(`${error.message}\n${adviceFor(prune ? 0 : (stale?.removed.length ?? 0))}`);
    return 1;
  }
  const same = new Set(taken.filter(({ isSame }) => isSame).map(({ file }) => file.name));
  const written = [...changed].filter(([path]) => !same.has(path));
  await writeTogether(new Map(written.map(([path, text]) => [join(root, path), text])));
  for (const { file, changes } of taken) report.out(`${file.name}\n${changes}\n`);
  if (prune && stale !== undefined && stale.removed.length > 0) {
    report.out(
      `Removed, because the new schemas do not have it:\n${stale.removed.map((line) => `  ${line}\n`).join("")}\n`,
    );
  }
  if (written.length > 0) report.out("Next: npm run generate, then npm run schema:status for what is left to write.\n");
  return 0;
}

function adviceFor(stale: number): string {
  const nothing = "No file was replaced.";
  if (stale === 0) return `${nothing}\n`;
  const [entries, are] = stale === 1 ? ["1 entry", "is"] : [`${stale} entries`, "are"];
  return [
    `${nothing} ${entries} in rules, prose and examples ${are} about what the new schemas do not have.`,
    "Rename entries about what has a new name. To remove the others, import again with --prune.",
    "",
  ].join("\n");
}

/** Removes from rules, prose and examples what the schemas of some versions do not have. */
async function pruneVersions(sources: Sources, versions: readonly ProtocolVersion[]): Promise<Changes> {
  const texts = new Map<string, string>();
  const removed: string[] = [];
  for (const version of versions) {
    const paths = pathsOf(version);
    const textOf = async (source: string): Promise<{ readonly source: string; readonly text: string }> => ({
      source,
      text: await sources.read(source),
    });
    const pruned = pruneVersion({
      schemas: await schemasOf(sources, version),
      rules: await textOf(paths.rules),
      prose: await textOf(paths.prose),
      examples: await readExampleFiles(sources, version),
    });
    for (const [source, file] of pruned) {
      texts.set(source, file.text);
      removed.push(...file.removed);
    }
  }
  // The prose of version 2 may start from what version 1 has lost now.
  const [before, after] = [await sources.read(pathsOf("v1").prose), texts.get(pathsOf("v1").prose)];
  if (after !== undefined) {
    const source = pathsOf("v2").prose;
    const text = texts.get(source) ?? (await sources.read(source));
    const documents = (await schemasOf(sources, "v2")).map((file) => normalFile(file).document);
    const complete = completeProse(text, source, documents, { v1: { before, after } });
    if (complete.removed.length > 0) texts.set(source, complete.text);
    removed.push(...complete.removed);
  }
  return { texts, removed };
}

function pathsOf(version: ProtocolVersion): { readonly rules: string; readonly prose: string } {
  return { rules: `schema/${version}/rules.json`, prose: `schema/${version}/prose.md` };
}

async function schemasOf(sources: Sources, version: ProtocolVersion): Promise<readonly SchemaFile[]> {
  const paths = workspaceSchemas.filter((schema) => schema.version === version).map(({ path }) => path);
  return await Promise.all(
    paths.map(async (path) => ({ path, document: await readDocument(sources, path), strict: true })),
  );
}
