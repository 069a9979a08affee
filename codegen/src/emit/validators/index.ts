import { Findings } from "../../model/findings.ts";
import { normalizeDocument } from "../../model/normalize/normalize-document.ts";
import type { JsonSchema, SchemaDocument } from "../../model/schema-document.ts";
import { inFile } from "../../model/schema-file.ts";
import { checkDefinitions } from "./check-definitions.ts";
import { closeDefinitions, type ClosingRules } from "./close.ts";
import { methodDefinitions } from "./method-definitions.ts";
import { spellOutProtoMembers } from "./proto-members.ts";
import { simplify } from "./simplify.ts";
import { standaloneCode } from "./standalone.ts";
import { spellOutUnevaluatedItems } from "./unevaluated-items.ts";

export { parseRules } from "../../model/rules.ts";
export { parseSchemaDocument } from "../../model/schema-document.ts";

/** How the emitted module is named and where its types come from. */
export interface ValidatorOptions {
  /** The name of the module, without extension; `validators` by default. */
  readonly name?: string;
  /** The module that has the types `Compiled` and `Runtime`; `@acp/validators/runtime` by default. */
  readonly types?: string;
  /** The path of the schema's file, which errors and warnings name. */
  readonly source?: string;
  /** Refuses what JSON Schema permits, but hardly means, such as a keyword that nobody knows. Default: warns of it. */
  readonly strict?: boolean;
  /** Takes each warning: annotations that are ignored, formats without a check, and names that had to change. */
  readonly warn?: (warning: string) => void;
  /**
   * Refuses members that the schema does not name, and values that break these rules (`absolute-path`, `base64` and
   * `extension-name` among the formats of the runtime). Such a module has the definitions of messages only.
   */
  readonly closed?: ClosingRules;
}

/**
 * Compiles the definitions of a schema to one module of plain functions. Returns file name to content, for a `.js` and
 * its `.d.ts`.
 *
 * The module exports `compile(runtime)`, which returns a validator per definition and says which definition describes
 * which method, and the types `DefinitionName`, `RequestMethod` and `NotificationMethod`. It imports nothing, needs no
 * ajv and no `eval`, and the same schema gives the same text. `createValidators` and `runtime` of
 * `@acp/validators/runtime` make of it what that package exports for the protocol.
 *
 * Names that TypeScript cannot have are mapped as for types. An unknown format is checked if the runtime has a check for
 * it.
 *
 * @throws SchemaError with a line for each keyword, pattern, value and reference that is wrong, naming the definition
 * and the place; and when a method has several requests, results or notifications.
 */
export async function emitValidators(
  document: SchemaDocument,
  options: ValidatorOptions = {},
): Promise<Record<string, string>> {
  const { source, strict, warn = () => {} } = options;
  const about = source === undefined ? "" : `${source}: `;
  const findings = new Findings(strict);
  const emit = (): Record<string, string> => emitFrom(document, options, findings);
  const files = source === undefined ? emit() : inFile(source, emit);
  for (const warning of findings.warnings) warn(`${about}${warning}`);
  return files;
}

function emitFrom(document: SchemaDocument, options: ValidatorOptions, findings: Findings): Record<string, string> {
  const { name = "validators", types = "@acp/validators/runtime", closed } = options;
  const { $defs } = normalizeDocument(document, findings);
  findings.problems.throwAll();
  const formats = checkDefinitions($defs, findings);
  findings.problems.throwAll();
  const methods = methodDefinitions({ $defs });
  const messages = [
    ...new Set(Object.values(methods).flatMap((table: Record<string, string>) => Object.values(table))),
  ];
  const definitions: Readonly<Record<string, JsonSchema>> = simplify(
    spellOutUnevaluatedItems(
      spellOutProtoMembers(closed === undefined ? $defs : closeDefinitions($defs, closed, messages)),
    ),
  );
  const { functions, functionOf, compares } = standaloneCode(definitions, formats);
  const names = (closed === undefined ? Object.keys(definitions) : messages).toSorted();
  const header = "// Compiled from the JSON Schema. Do not edit.";
  const code = [
    header,
    "function append(errors, more) {",
    "for (const error of more) errors.push(error);",
    "return errors;",
    "}",
    ...(compares ? comparison : []),
    ...(formats.size === 0 ? ["export function compile({ codePoints, formats }) {"] : compileWith([...formats.keys()])),
    functions,
    "return {",
    "definitions: {",
    ...names.map((definition) => `${definition}: ${functionOf.get(definition)},`),
    "},",
    `names: ${JSON.stringify(names)},`,
    ...Object.entries(methods).map(([kind, table]) => `${kind}: ${JSON.stringify(table)},`),
    "};",
    "}",
  ];
  const declarations = [
    header,
    `import type { Compiled, Runtime } from ${JSON.stringify(types)};`,
    "/** The name of a definition of the schema. */",
    union("DefinitionName", names),
    "/** The name of a request of either side, as on the wire. */",
    union("RequestMethod", Object.keys(methods.requests)),
    "/** The name of a notification of either side, as on the wire. */",
    union("NotificationMethod", Object.keys(methods.notifications)),
    "export declare function compile(runtime: Runtime): Compiled<DefinitionName, RequestMethod, NotificationMethod>;",
  ];
  return { [`${name}.js`]: `${code.join("\n")}\n`, [`${name}.d.ts`]: `${declarations.join("\n")}\n` };
}

/** What compares lists and objects: ajv imports a function for that. */
const comparison: readonly string[] = [
  "function equal(a, b) {",
  'if (a === b || typeof a !== "object" || typeof b !== "object" || a === null || b === null) return a === b;',
  "const keys = Object.keys(a);",
  "if (Array.isArray(a) !== Array.isArray(b) || keys.length !== Object.keys(b).length) return false;",
  "return keys.every((key) => Object.hasOwn(b, key) && equal(a[key], b[key]));",
  "}",
];

/** The head of `compile` where a schema has formats that the runtime may lack: without a check, any value will do. */
function compileWith(formats: readonly string[]): readonly string[] {
  return [
    "export function compile({ codePoints, formats: checks }) {",
    "const unchecked = { validate: () => true };",
    `const formats = { ${formats.map((format) => `${JSON.stringify(format)}: unchecked`).join(", ")}, ...checks };`,
  ];
}

function union(name: string, values: readonly string[]): string {
  const literals = values.toSorted().map((value) => JSON.stringify(value));
  return `export type ${name} = ${literals.length === 0 ? "never" : literals.join(" | ")};`;
}
