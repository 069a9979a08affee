import { readdir, readFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { ExampleFile } from "../examples/read-examples.ts";
import { parseRules } from "../model/rules.ts";
import { isPlainObject, parseJson, parseSchemaDocument } from "../model/schema-document.ts";
import type { SchemaFile } from "../model/schema-file.ts";
import type { GenerateOptions } from "../pipeline/generate.ts";
import { type BindingValues, UsageError } from "./command-line.ts";
import { reasonOf } from "../reason-of.ts";

/** A schema, the files that belong to it, and where its bindings go: the content of `acp-codegen.json`. */
export interface Binding {
  readonly schema: string;
  /** The folder of the generated files. */
  readonly out?: string;
  readonly rules?: string;
  readonly prose?: string;
  /** Other files of prose, by the name that sections start from them with. */
  readonly proseBases?: Readonly<Record<string, string>>;
  readonly also?: readonly string[];
  /** The folder of the examples. */
  readonly examples?: string;
  readonly runtime?: string;
  /** Whether what a schema hardly means is refused, and not only a warning. */
  readonly strict?: boolean;
  /** The file that `import` takes the schema from. */
  readonly upstream?: string;
}

/** The file that says all that without options. */
export const configName = "acp-codegen.json";

/** What a command line says, completed from the file `acp-codegen.json` where it names no schema. */
export async function readBinding(values: BindingValues, schema: string | undefined): Promise<Binding> {
  if (schema !== undefined && values.config !== undefined) {
    throw new UsageError(`--config is instead of a schema file: leave out --config ${values.config} or ${schema}`);
  }
  const { rules, prose, also, examples, out, runtime, strict } = values;
  const bases = readBaseOptions(values["prose-base"] ?? []);
  return {
    ...(schema === undefined ? await readConfig(values.config) : { schema }),
    ...(rules !== undefined && { rules }),
    ...(prose !== undefined && { prose }),
    ...(also !== undefined && { also }),
    ...(examples !== undefined && { examples }),
    ...(out !== undefined && { out }),
    ...(runtime !== undefined && { runtime }),
    ...(strict !== undefined && { strict }),
    ...(bases !== undefined && { proseBases: bases }),
  };
}

/** `v1=v1/prose.md`: the files that sections of the prose start from, by the name they have there. */
function readBaseOptions(given: readonly string[]): Readonly<Record<string, string>> | undefined {
  const bases = given.map((base) => {
    const [, name, path] = /^(\w+)=(.+)$/.exec(base) ?? [];
    if (name === undefined || path === undefined) throw new UsageError(`--prose-base is <name>=<file>, not ${base}`);
    return [name, path];
  });
  return bases.length === 0 ? undefined : Object.fromEntries(bases);
}

const texts = ["schema", "out", "rules", "prose", "examples", "runtime", "upstream"] as const;

async function readConfig(given: string | undefined): Promise<Binding> {
  const path = given ?? configName;
  const text = await readText(path, given === undefined ? "name a schema file, or make one with acp-codegen init" : "");
  const config = parseJson(text, path);
  const fail = (what: string): never => {
    throw new UsageError(`${path}: ${what}; see the README of @acp/codegen`);
  };
  if (!isPlainObject(config)) return fail("expected an object");
  const known: readonly string[] = [...texts, "proseBases", "also", "strict"];
  const unknown = Object.keys(config).find((name) => !known.includes(name));
  if (unknown !== undefined) fail(`there is no entry \`${unknown}\`, only ${known.join(", ")}`);
  const folder = dirname(path);
  const stringOf = (name: string, value: unknown): string =>
    typeof value === "string" ? value : fail(`\`${name}\` is not a string`);
  // A module is not a file, unless it is written as one.
  const resolved = (name: string, value: string): string => (name === "runtime" ? value : join(folder, value));
  const strings = Object.fromEntries(
    texts
      .filter((name) => config[name] !== undefined)
      .map((name) => [name, resolved(name, stringOf(name, config[name]))]),
  );
  const { also, proseBases, strict } = config;
  if (strict !== undefined && typeof strict !== "boolean") fail("`strict` is not a boolean");
  if (also !== undefined && !Array.isArray(also)) fail("`also` is not a list of files");
  if (proseBases !== undefined && !isPlainObject(proseBases)) fail("`proseBases` is not an object of files");
  const others = (Array.isArray(also) ? also : []).map((file: unknown) => join(folder, stringOf("also", file)));
  const bases = Object.entries(isPlainObject(proseBases) ? proseBases : {});
  return {
    ...strings,
    schema: strings["schema"] ?? fail("`schema` is missing: the file of the schema"),
    ...(also !== undefined && { also: others }),
    ...(typeof strict === "boolean" && { strict }),
    ...(proseBases !== undefined && {
      proseBases: Object.fromEntries(
        bases.map(([name, file]) => [name, join(folder, stringOf(`proseBases.${name}`, file))]),
      ),
    }),
  };
}

/** What to read in place of what is on the disk: a schema, and the texts of files by their paths. */
export interface Instead {
  readonly schema: SchemaFile;
  readonly texts: ReadonlyMap<string, string>;
}

/** Reads the files of a binding, as `generate` takes them. */
export async function readInputs(binding: Binding, instead?: Instead): Promise<GenerateOptions> {
  const { rules, prose, proseBases = {}, also = [], runtime = "@acp/schema" } = binding;
  const read = async (path: string): Promise<string> => instead?.texts.get(path) ?? (await readText(path));
  const inputs = [binding.schema, rules].filter((path) => path !== undefined);
  const bases = Object.entries(proseBases).map(async ([name, path]) => [name, await readText(path)] as const);
  return {
    schema: instead?.schema ?? (await readSchemaFile(binding.schema, binding.strict)),
    source: inputs.map((path) => basename(path)).join(" and "),
    runtime,
    alsoIn: await Promise.all(also.map(async (path) => await readSchemaFile(path, binding.strict))),
    ...(rules !== undefined && { rules: parseRules(await read(rules), rules) }),
    ...(prose !== undefined && {
      prose: { text: await read(prose), source: prose, bases: Object.fromEntries(await Promise.all(bases)) },
    }),
  };
}

/** The files of examples in the folder of a binding. */
export async function readExampleFiles({ examples }: Binding, instead?: Instead): Promise<readonly ExampleFile[]> {
  if (examples === undefined) return [];
  const names = await orUsage(`read ${examples}`, readdir(examples));
  const paths = names.filter((name) => name.endsWith(".json")).map((name) => join(examples, name));
  return await Promise.all(
    paths.toSorted().map(async (source) => ({ source, text: instead?.texts.get(source) ?? (await readText(source)) })),
  );
}

export async function readSchemaFile(path: string, strict = false): Promise<SchemaFile> {
  return { path, document: parseSchemaDocument(await readText(path), path), strict };
}

/** @throws UsageError that names the file, and what to do where `advice` says it. */
export async function readText(path: string, advice = ""): Promise<string> {
  return await orUsage(`read ${path}`, readFile(path, "utf8"), advice);
}

async function orUsage<T>(what: string, pending: Promise<T>, advice = ""): Promise<T> {
  try {
    return await pending;
  } catch (cause) {
    const reason = reasonOf(cause);
    throw new UsageError(`cannot ${what}: ${reason}${advice === "" ? "" : `; ${advice}`}`, { cause });
  }
}
