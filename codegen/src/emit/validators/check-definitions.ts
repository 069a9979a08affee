import { isKnownFormat } from "../../model/formats.ts";
import type { Findings } from "../../model/findings.ts";
import { knownKeywords } from "../../model/keywords.ts";
import { Place } from "../../model/place.ts";
import { isPlainObject, type JsonSchema } from "../../model/schema-document.ts";
import { subschemas } from "../../model/subschemas.ts";
import { definitionAjv, type UnknownFormats } from "./strict-ajv.ts";
import { reasonOf } from "../../reason-of.ts";

type Definitions = Readonly<Record<string, JsonSchema>>;

/**
 * Checks that validators can be made of definitions in normal form: each keyword is known and has a value that it can
 * have, each pattern compiles, and each reference leads to a definition. Reports all that is wrong at once.
 *
 * @returns The unknown formats, which it reports as warnings.
 */
export function checkDefinitions(definitions: Definitions, findings: Findings): UnknownFormats {
  const formats = new Map<string, "string" | "number">();
  const kept = Object.entries(definitions).filter(([, schema]) => schema["x-docs-ignore"] !== true);
  for (const [name, schema] of kept) check(schema, new Place(name, "", { definitions, findings }), formats);
  refuseValues(Object.fromEntries(kept), findings);
  for (const [name] of kept) {
    if (leadsBack(name, definitions))
      refuse(new Place(name, "", { definitions, findings }), "stands for itself; give it a type or members of its own");
  }
  return formats;
}

function check(schema: JsonSchema, place: Place, formats: Map<string, "string" | "number">): void {
  if (!isPlainObject(schema)) return;
  for (const [keyword, value] of Object.entries<unknown>({ ...schema })) {
    if (!knownKeywords.has(keyword)) {
      refuse(place, `the keyword \`${keyword}\` is unknown; correct it, or call it \`x-${keyword}\` if it is a note`);
    }
    if (keyword === "pattern") checkPattern(value, place.at(keyword));
    if (keyword === "patternProperties" && isPlainObject(value)) {
      for (const pattern of Object.keys(value)) checkPattern(pattern, place.at(keyword));
    }
    if (keyword === "$ref") checkReference(value, place);
    if (keyword === "format" && typeof value === "string" && !isKnownFormat(value)) {
      if (formats.get(value) !== "string") formats.set(value, isForNumbers(schema) ? "number" : "string");
      const what = `the format ${JSON.stringify(value)} is unknown`;
      place.warn(`${what}; validators take any value until the runtime that they get has a check of it`);
    }
  }
  for (const { schema: part, steps } of subschemas(schema)) check(part, place.at(...steps), formats);
}

/** Whether checking a value of a definition leads back to it for the very same value. */
function leadsBack(name: string, definitions: Definitions): boolean {
  const seen = new Set<string>();
  const pending = [name];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    for (const target of sameValue(definitions[next] ?? {})) {
      if (target === name) return true;
      if (!seen.has(target)) pending.push(target);
      seen.add(target);
    }
  }
  return false;
}

const sameValueKeywords: readonly string[] = ["allOf", "anyOf", "oneOf", "not", "if", "then", "else"];

/** The definitions that a value of a schema has to be checked with. */
function* sameValue(schema: JsonSchema): Iterable<string> {
  if (!isPlainObject(schema)) return;
  if (typeof schema["$ref"] === "string") yield schema["$ref"].replace("#/$defs/", "");
  for (const { schema: part, keyword } of subschemas(schema)) {
    if (sameValueKeywords.includes(keyword)) yield* sameValue(part);
  }
}

function isForNumbers({ type }: JsonSchema): boolean {
  const types = [type ?? []].flat();
  return !types.includes("string") && (types.includes("integer") || types.includes("number"));
}

function checkPattern(pattern: unknown, place: Place): void {
  try {
    void new RegExp(String(pattern), "u");
  } catch (cause) {
    refuse(place, reasonOf(cause));
  }
}

function checkReference(reference: unknown, place: Place): void {
  const name = /^#\/\$defs\/(\w+)$/.exec(String(reference))?.[1];
  if (name === undefined) {
    const what = `the reference ${JSON.stringify(reference)} is not \`#/$defs/Name\``;
    refuse(place, `${what}; move what it refers to into a definition of this file`);
  } else if (!Object.hasOwn(place.around.definitions, name))
    refuse(place, `refers to ${name}, which is not defined; define it, or correct the reference`);
}

/** Refuses values that keywords cannot have (`minLength: -1`), by the schema of schemas. */
function refuseValues(definitions: Definitions, findings: Findings): void {
  const ajv = definitionAjv(new Map(), { allErrors: true });
  if (ajv.validateSchema({ $defs: definitions }) === true) return;
  const paths = new Set<string>();
  for (const { instancePath, message } of ajv.errors ?? []) {
    const [, , name, ...steps] = instancePath
      .split("/")
      .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));
    if (name === undefined || paths.has(instancePath)) continue;
    paths.add(instancePath);
    refuse(new Place(name, "", { definitions, findings }).at(...steps), message ?? "is no value of this keyword");
  }
}

function refuse(place: Place, what: string): void {
  place.collect(() => {
    throw place.unsupported(what);
  }, undefined);
}
