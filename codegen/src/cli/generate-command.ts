import { readFile } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import { parseRules } from "../model/rules.ts";
import { parseSchemaDocument, SchemaError } from "../model/schema-document.ts";
import type { SchemaFile } from "../model/schema-file.ts";
import { generate, type GenerateOptions, moduleNames } from "../pipeline/generate.ts";
import { compareOutput, writeOutput } from "../pipeline/output.ts";
import { type GenerateValues, type Output, UsageError } from "./command-line.ts";

/** `acp-codegen generate`: everything is made before anything is written. */
export async function generateCommand(values: GenerateValues, schemaPath: string, output: Output): Promise<number> {
  if (values.out === undefined) throw new UsageError("`generate` needs --out: the folder of the generated files");
  const inputs = [schemaPath, values.rules].filter((path) => path !== undefined);
  const options: GenerateOptions = {
    schema: await readSchema(schemaPath),
    source: inputs.map((path) => basename(path)).join(" and "),
    runtime: values.runtime,
    alsoIn: await Promise.all((values.also ?? []).map(readSchema)),
    ...(values.rules !== undefined && { rules: parseRules(await readText(values.rules), values.rules) }),
    ...(values.prose !== undefined && {
      prose: { text: await readText(values.prose), source: values.prose, bases: await readBases(values) },
    }),
  };
  const generated = await orHint(generate(options), values);
  for (const warning of generated.warnings) output.error(`Warning: ${warning}\n`);
  if (values.rules === undefined && generated.model.methods.some(({ name }) => name === "initialize")) {
    output.error(
      "Without --rules the tables have version 0, gate nothing and open no session: agents and clients need them.\n",
    );
  }
  const directory = resolve(values.out);
  const files = new Map(Object.entries(generated.files).map(([name, content]) => [join(directory, name), content]));
  if (generated.undocumented.length > 0) {
    output.error(`Without a description:\n${generated.undocumented.map((place) => `  ${place}\n`).join("")}`);
  }
  // Other files of the folder may say that they are generated, too: those of `infer`, for example.
  const leftovers = { directories: [directory], names: moduleNames };
  if (!values.check) {
    const { stale, leftover } = await writeOutput(files, leftovers);
    output.out(`${files.size} files generated, ${stale.length} written, ${leftover.length} removed.\n`);
    output.out(leftover.map((path) => `Removed: ${path}\n`).join(""));
    return 0;
  }
  const { stale, leftover } = await compareOutput(files, leftovers);
  if (stale.length === 0 && leftover.length === 0) return 0;
  const lines = [...stale.map((path) => `  ${path}`), ...leftover.map((path) => `  ${path} (no longer generated)`)];
  output.error(`Not as generated; run acp-codegen generate without --check:\n${lines.join("\n")}\n`);
  return 1;
}

/** Rules and prose that speak of another schema of the version, too, do not fit this one alone. */
async function orHint<T>(pending: Promise<T>, { rules, prose, also }: GenerateValues): Promise<T> {
  try {
    return await pending;
  } catch (error) {
    if (!(error instanceof SchemaError) || also !== undefined || (rules ?? prose) === undefined) throw error;
    const hint =
      "Rules and prose of another schema as well, such as an unstable one, need it beside this one: --also <file>";
    throw new SchemaError(`${error.message}\n${hint}`, { cause: error });
  }
}

/** `v1=v1/prose.md`: the files that sections of the prose start from, by the name they have there. */
async function readBases({ "prose-base": given = [] }: GenerateValues): Promise<Readonly<Record<string, string>>> {
  const bases: Record<string, string> = {};
  for (const base of given) {
    const [, name, path] = /^(\w+)=(.+)$/.exec(base) ?? [];
    if (name === undefined || path === undefined) throw new UsageError(`--prose-base is <name>=<file>, not ${base}`);
    bases[name] = await readText(path);
  }
  return bases;
}

async function readSchema(path: string): Promise<SchemaFile> {
  return { path, document: parseSchemaDocument(await readText(path), path) };
}

async function readText(path: string): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch (cause) {
    throw new UsageError(`cannot read ${path}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  }
}
