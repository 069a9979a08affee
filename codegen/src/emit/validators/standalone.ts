import { _ } from "ajv";
import ajvStandalone from "ajv/dist/standalone/index.js";
import { Place } from "../../model/place.ts";
import type { ValidatorSchema } from "./simplify.ts";
import { orNotTaken, strictAjv } from "./strict-ajv.ts";

/** The code of one validator function per definition. */
export interface StandaloneCode {
  /** The functions, without exports. They refer to `formats`, `codePoints` and `append`. */
  readonly functions: string;
  /** The function that checks each definition. */
  readonly functionOf: ReadonlyMap<string, string>;
}

/**
 * Lets ajv write the functions that check `definitions`.
 *
 * @throws SchemaError naming the definition that does not compile in strict mode; Error when the code would need ajv at
 * run time.
 */
export function standaloneCode(definitions: Readonly<Record<string, ValidatorSchema>>): StandaloneCode {
  const ajv = strictAjv({
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
  const code = orNotTaken(definitions, () => ajvStandalone.default(ajv, references));

  const functionOf = new Map<string, string>();
  const functions = code
    .replace('"use strict";', "")
    .replaceAll(/^export const (\w+) = (validate\d+);$/gm, (_line, name: string, validate: string) => {
      functionOf.set(name, validate);
      return "";
    })
    .replaceAll('require("ajv/dist/runtime/ucs2length").default', "codePoints")
    // Copying all errors so far for each item of a list would take the square of their number.
    .replaceAll(/\bvErrors\.concat\((\w+\.errors)\)/g, "append(vErrors, $1)")
    // A member that objects inherit (`toString`) is not among those that were looked at.
    .replaceAll(/!(props\d+)\[(key\d+)\]/g, "!Object.hasOwn($1, $2)")
    .replaceAll(/\n{2,}/g, "\n")
    .trim();
  refuseComparisons(functions, functionOf);
  for (const name of names) if (!functionOf.has(name)) throw new Error(`No validator came out for ${name}`);
  const required = /\brequire\([^)]*\)/.exec(functions);
  if (required !== null) throw new Error(`The validators would need ${required[0]} at run time`);
  return { functions, functionOf };
}

/** @throws SchemaError naming the first definition that compares more than text and numbers: ajv has a function for that. */
function refuseComparisons(functions: string, functionOf: ReadonlyMap<string, string>): void {
  const equal = /\bconst (\w+) = require\("ajv\/dist\/runtime\/equal"\)/.exec(functions)?.[1];
  if (equal === undefined) return;
  for (const [name, validate] of functionOf) {
    const [, body = ""] = functions.split(new RegExp(`^function ${validate}\\b`, "m"));
    if (!new RegExp(`\\b${equal}\\(`).test(body.split(/^function /m)[0] ?? "")) continue;
    throw new Place(name).unsupported("`uniqueItems`, and `const` or `enum` with lists or objects, are not supported");
  }
}
