import type { SchemaDocument } from "../../model/schema-document.ts";
import { methodDefinitions } from "./method-definitions.ts";
import { simplify } from "./simplify.ts";
import { standaloneCode } from "./standalone.ts";

export { parseSchemaDocument } from "../../model/schema-document.ts";
export { strictAjv } from "./strict-ajv.ts";

/** How the emitted module is named and what it imports. */
export interface ValidatorOptions {
  /** The name of the file, `validators.ts` by default. */
  readonly fileName?: string;
  /** The module that has `formats`, `codePoints` and the type `Compiled`; `../runtime/index.ts` by default. */
  readonly runtime?: string;
}

/**
 * Compiles the definitions of a protocol schema to one module of plain functions. Returns file name to content.
 *
 * The module exports `compiled` (a validator per definition, and which definition describes which method) and the
 * types `DefinitionName`, `RequestMethod` and `NotificationMethod`. It needs no ajv, no `eval` and no `require`,
 * and the same schema gives the same text.
 *
 * @throws when the schema does not compile in ajv's strict mode, so on any keyword or format not known here.
 */
export async function emitValidators(
  document: Pick<SchemaDocument, "$defs">,
  options: ValidatorOptions = {},
): Promise<Record<string, string>> {
  const { fileName = "validators.ts", runtime = "../runtime/index.ts" } = options;
  const definitions = simplify(document.$defs);
  const { functions, functionOf } = standaloneCode(definitions);
  const methods = methodDefinitions(document);
  const names = Object.keys(definitions).toSorted();
  const lines = [
    "// @ts-nocheck: compiled from the JSON Schema, not to be read or edited.",
    `import { codePoints, type Compiled, formats } from ${JSON.stringify(runtime)};`,
    "",
    union("DefinitionName", names),
    union("RequestMethod", Object.keys(methods.requests)),
    union("NotificationMethod", Object.keys(methods.notifications)),
    "",
    functions,
    "",
    "export const compiled: Compiled<DefinitionName, RequestMethod, NotificationMethod> = {",
    "  definitions: {",
    ...names.map((name) => `    ${name}: ${functionOf.get(name)},`),
    "  },",
    `  names: ${JSON.stringify(names)},`,
    ...Object.entries(methods).map(([kind, table]) => `  ${kind}: ${JSON.stringify(table)},`),
    "};",
  ];
  return { [fileName]: `${lines.join("\n")}\n` };
}

function union(name: string, values: readonly string[]): string {
  const literals = values.toSorted().map((value) => JSON.stringify(value));
  return `export type ${name} = ${literals.length === 0 ? "never" : literals.join(" | ")};`;
}
