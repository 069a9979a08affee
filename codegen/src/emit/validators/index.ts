import type { SchemaDocument } from "../../model/schema-document.ts";
import { closeDefinitions, type ClosingRules } from "./close.ts";
import { methodDefinitions } from "./method-definitions.ts";
import { simplify } from "./simplify.ts";
import { standaloneCode } from "./standalone.ts";

export { parseRules } from "../../model/rules.ts";
export { parseSchemaDocument } from "../../model/schema-document.ts";

/** How the emitted module is named and where its types come from. */
export interface ValidatorOptions {
  /** The name of the module, without extension; `validators` by default. */
  readonly name?: string;
  /** The module that has the types `Compiled` and `Runtime`; `@acp/validators/runtime` by default. */
  readonly types?: string;
  /**
   * Refuses members that the schema does not name, and values that break these rules (`absolute-path`, `base64` and
   * `extension-name` among the formats of the runtime). Such a module has the definitions of messages only.
   */
  readonly closed?: ClosingRules;
}

/**
 * Compiles the definitions of a protocol schema to one module of plain functions. Returns file name to content, for
 * a `.js` and its `.d.ts`.
 *
 * The module exports `compile(runtime)`, which returns a validator per definition and says which definition describes
 * which method, and the types `DefinitionName`, `RequestMethod` and `NotificationMethod`. It imports nothing, needs no
 * ajv and no `eval`, and the same schema gives the same text. `createValidators` and `runtime` of
 * `@acp/validators/runtime` make of it what that package exports for the protocol.
 *
 * @throws SchemaError naming the definition when the schema does not compile in ajv's strict mode, so on any keyword or
 * format not known here, and when a method has several requests, results or notifications.
 */
export async function emitValidators(
  document: Pick<SchemaDocument, "$defs">,
  options: ValidatorOptions = {},
): Promise<Record<string, string>> {
  const { name = "validators", types = "@acp/validators/runtime", closed } = options;
  const methods = methodDefinitions(document);
  const messages = [
    ...new Set(Object.values(methods).flatMap((table: Record<string, string>) => Object.values(table))),
  ];
  const definitions = simplify(
    closed === undefined ? document.$defs : closeDefinitions(document.$defs, closed, messages),
  );
  const { functions, functionOf } = standaloneCode(definitions);
  const names = (closed === undefined ? Object.keys(definitions) : messages).toSorted();
  const header = "// Compiled from the JSON Schema, not to be read or edited.";
  const code = [
    header,
    "function append(errors, more) {",
    "for (const error of more) errors.push(error);",
    "return errors;",
    "}",
    "export function compile({ codePoints, formats }) {",
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
    "/** The name of a request, as on the wire, whichever side sends it. */",
    union("RequestMethod", Object.keys(methods.requests)),
    "/** The name of a notification, as on the wire, whichever side sends it. */",
    union("NotificationMethod", Object.keys(methods.notifications)),
    "export declare function compile(runtime: Runtime): Compiled<DefinitionName, RequestMethod, NotificationMethod>;",
  ];
  return { [`${name}.js`]: `${code.join("\n")}\n`, [`${name}.d.ts`]: `${declarations.join("\n")}\n` };
}

function union(name: string, values: readonly string[]): string {
  const literals = values.toSorted().map((value) => JSON.stringify(value));
  return `export type ${name} = ${literals.length === 0 ? "never" : literals.join(" | ")};`;
}
