import { _ } from "ajv";
import ajvStandalone from "ajv/dist/standalone/index.js";
import type { JsonSchema } from "../../model/schema-document.ts";
import type { Options } from "ajv/dist/2020.js";
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
  const options: Options = {
    allErrors: true,
    inlineRefs: false,
    // Longer lists of values are compared in a loop: one condition of thousands of values does not load.
    loopEnum: 1000,
    messages: false,
    ownProperties: true,
    code: { source: true, esm: true, lines: true, formats: _`formats` },
  };
  const names = Object.keys(definitions).toSorted();
  const references = Object.fromEntries(names.map((name) => [name, `acp#/$defs/${name}`]));
  const compile = (first: readonly string[]): string => {
    const ajv = definitionAjv(formats, options).addSchema({ $id: "acp", $defs: definitions });
    for (const name of first) ajv.getSchema(references[name]!);
    return ajvStandalone.default(ajv, references);
  };
  const code = orNotTaken(definitions, formats, () => {
    try {
      return compile([]);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      // A long way from definition to definition is too much for the stack, unless the last ones are compiled first.
      return compile(lastFirst(definitions));
    }
  });

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
    // And `__proto__` is among those that were; the literal of a constant can have it, too.
    .replaceAll(/\b(props\d+ = (?:props\d+ \|\| )?)\{/g, "$1{__proto__:null,")
    .replaceAll(/(?<!\\)"__proto__":/g, '["__proto__"]:')
    .replaceAll(/\n{2,}/g, "\n")
    .trim();
  for (const name of names) if (!functionOf.has(name)) throw new Error(`No validator came out for ${name}`);
  const required = /\brequire\([^)]*\)/.exec(functions);
  if (required !== null) throw new Error(`The validators would need ${required[0]} at run time`);
  return { functions, functionOf, compares: /= equal;$/m.test(functions) };
}

/** The definitions, each behind those that it refers to, as far as they do not refer to it. */
function lastFirst(definitions: Readonly<Record<string, JsonSchema>>): readonly string[] {
  const done = new Set<string>();
  const order: string[] = [];
  const targets = (name: string): Iterator<RegExpExecArray> =>
    JSON.stringify(definitions[name] ?? {}).matchAll(/"#\/\$defs\/(\w+)"/g);
  for (const root of Object.keys(definitions)) {
    if (done.has(root)) continue;
    done.add(root);
    const open = [{ name: root, rest: targets(root) }];
    for (let top = open.at(-1); top !== undefined; top = open.at(-1)) {
      const { value, done: isLast } = top.rest.next();
      const target: string | undefined = isLast === true ? undefined : value[1];
      if (target === undefined) {
        order.push(top.name);
        open.pop();
      } else if (!done.has(target)) {
        done.add(target);
        open.push({ name: target, rest: targets(target) });
      }
    }
  }
  return order;
}
