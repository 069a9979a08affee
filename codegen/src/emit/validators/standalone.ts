import { _ } from "ajv";
import ajvStandalone from "ajv/dist/standalone/index.js";
import type { JsonSchema } from "../../model/schema-document.ts";
import { definitionAjv, orNotTaken, type UnknownFormats } from "./strict-ajv.ts";

/** The code of one validator function per definition. */
export interface StandaloneCode {
  /** The functions, without exports. They refer to `formats`, `codePoints`, `append` and `equal`. */
  readonly functions: string;
  /** The function that checks each definition. */
  readonly functionOf: ReadonlyMap<string, string>;
  /** Whether the functions call `equal`, which compares lists and objects. */
  readonly compares: boolean;
}

/**
 * Lets ajv write the functions that check `definitions`.
 *
 * @throws SchemaError naming the definitions that do not compile; Error when the code would need ajv at run time.
 */
export function standaloneCode(
  definitions: Readonly<Record<string, JsonSchema>>,
  formats: UnknownFormats,
): StandaloneCode {
  const ajv = definitionAjv(formats, {
    allErrors: true,
    inlineRefs: false,
    // Lists of 200 values and more would be compared by a function of ajv.
    loopEnum: Infinity,
    messages: false,
    ownProperties: true,
    code: { source: true, esm: true, lines: true, formats: _`formats` },
  });
  ajv.addSchema({ $id: "acp", $defs: definitions });
  const names = Object.keys(definitions).toSorted();
  const references = Object.fromEntries(names.map((name) => [name, `acp#/$defs/${name}`]));
  const code = orNotTaken(definitions, formats, () => ajvStandalone.default(ajv, references));

  const functionOf = new Map<string, string>();
  const functions = code
    .replace('"use strict";', "")
    .replaceAll(/^export const (\w+) = (validate\d+);$/gm, (_line, name: string, validate: string) => {
      functionOf.set(name, validate);
      return "";
    })
    .replaceAll('require("ajv/dist/runtime/ucs2length").default', "codePoints")
    .replaceAll('require("ajv/dist/runtime/equal").default', "equal")
    // Copying all errors so far for each item of a list would take the square of their number.
    .replaceAll(/\bvErrors\.concat\((\w+\.errors)\)/g, "append(vErrors, $1)")
    // Errors tell where in the value something is wrong, not where in the schema it says so.
    .replaceAll(/\bschemaPath:"(?:[^"\\]|\\.)*",/g, "")
    // A member that objects inherit (`toString`) is not among those that were looked at.
    .replaceAll(/!(props\d+)\[(key\d+)\]/g, "!Object.hasOwn($1, $2)")
    .replaceAll(/\n{2,}/g, "\n")
    .trim();
  for (const name of names) if (!functionOf.has(name)) throw new Error(`No validator came out for ${name}`);
  const required = /\brequire\([^)]*\)/.exec(functions);
  if (required !== null) throw new Error(`The validators would need ${required[0]} at run time`);
  return { functions, functionOf, compares: /= equal;$/m.test(functions) };
}
