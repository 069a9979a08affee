import { join, resolve } from "node:path";
import { SchemaError } from "../model/schema-document.ts";
import { generate, moduleNames } from "../pipeline/generate.ts";
import { compareOutput, writeOutput } from "../pipeline/output.ts";
import { type Binding, readBinding, readInputs } from "./binding.ts";
import { type BindingValues, type Output, UsageError } from "./command-line.ts";

/** `acp-codegen generate`: everything is made before anything is written. */
export async function generateCommand(
  values: BindingValues & { readonly check: boolean },
  schemaPath: string | undefined,
  output: Output,
): Promise<number> {
  const binding = await readBinding(values, schemaPath);
  const { out, rules } = binding;
  if (out === undefined) throw new UsageError("`generate` needs --out: the folder of the generated files");
  const generated = await orHint(generate(await readInputs(binding)), binding);
  for (const warning of generated.warnings) output.error(`Warning: ${warning}\n`);
  if (rules === undefined && generated.model.methods.some(({ name }) => name === "initialize")) {
    output.error(
      "Without --rules the tables have version 0, gate nothing and open no session: agents and clients need them.\n",
    );
  }
  const directory = resolve(out);
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
export async function orHint<T>(pending: Promise<T>, { rules, prose, also }: Binding): Promise<T> {
  try {
    return await pending;
  } catch (error) {
    if (!(error instanceof SchemaError) || also !== undefined || (rules ?? prose) === undefined) throw error;
    const hint =
      "Rules and prose of another schema as well, such as an unstable one, need it beside this one: --also <file>";
    throw new SchemaError(`${error.message}\n${hint}`, { cause: error });
  }
}
