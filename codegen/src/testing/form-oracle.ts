import { Ajv, type Options, type ValidateFunction } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import { numberFormats } from "../model/formats.ts";
import { conditionKeywords, validatorKeywords } from "../model/keywords.ts";
import type { JsonSchema, SchemaDocument } from "../model/schema-document.ts";
import { mapSubschemas } from "../model/subschemas.ts";
import { isObject } from "./json.ts";

interface FormatCheck {
  readonly type: "string" | "number";
  readonly validate: (value: never) => boolean;
}

/** The formats in the schemas of the tests. What they check matters less than that all who check agree. */
export const formatChecks: Readonly<Record<string, FormatCheck>> = {
  uri: { type: "string", validate: (text: string) => /^[a-z]+:/.test(text) },
  byte: { type: "string", validate: (text: string) => /^[A-Za-z0-9+/]*=*$/.test(text) },
  "uri-template": { type: "string", validate: (text: string) => !text.includes(" ") },
  uint8: { type: "number", validate: (value: number) => Number.isInteger(value) && value >= 0 && value <= 255 },
  int128: { type: "number", validate: (value: number) => Number.isInteger(value) },
};

const options: Options = { strict: false, logger: false, ownProperties: true, strictNumbers: true };

/** Says whether a definition takes a value; `undefined` where ajv cannot say. */
export type Verdict = (value: unknown) => boolean | undefined;

/**
 * Compiles a schema with ajv as it stands, in the draft that it names.
 *
 * @returns A verdict for each definition, in the order in which the normal form has them: `$defs`, `definitions`, root.
 */
export function ajvVerdicts(document: SchemaDocument): readonly Verdict[] {
  const ajv = (document.$schema?.includes("draft-07") ? new Ajv(options) : new Ajv2020(options)).addSchema(
    document,
    "raw",
  );
  for (const [format, check] of Object.entries(formatChecks)) ajv.addFormat(format, check as never);
  const { $defs, definitions = {} } = document;
  const pointers = [
    ...Object.keys($defs).map((name) => `$defs/${escape(name)}`),
    ...Object.keys(definitions).map((name) => `definitions/${escape(name)}`),
  ].map((pointer) => `raw#/${pointer}`);
  if (document.properties !== undefined) pointers.push("raw#");
  return pointers.map((pointer) => verdictOf(ajv.compile({ $ref: pointer })));
}

/**
 * The same for what decoders check of a schema in normal form: without the keywords that only validators hold values
 * to, with members that a schema forbids, and with any of the branches that fit.
 */
export function tolerantVerdicts(document: SchemaDocument): readonly Verdict[] {
  const $defs = Object.fromEntries(Object.entries(document.$defs).map(([name, schema]) => [name, tolerant(schema)]));
  const ajv = new Ajv2020(options).addSchema({ $defs }, "raw");
  for (const format of Object.keys(numberFormats)) {
    const { type, min = -Infinity, max = Infinity } = numberFormats[format]!;
    const isWhole = type === "integer" ? Number.isInteger : Number.isFinite;
    const validate = (value: number): boolean => isWhole(value) && value >= min && value <= max;
    ajv.addFormat(format, { type: "number", validate });
  }
  return Object.keys($defs).map((name) => verdictOf(ajv.compile({ $ref: `raw#/$defs/${name}` })));
}

function tolerant(schema: JsonSchema): JsonSchema {
  const { not } = schema;
  if (not !== undefined && Object.keys(not).length === 0) return schema;
  if (schema.const !== undefined) return sameParts(schema.const);
  if (schema.enum !== undefined) return { anyOf: schema.enum.map(sameParts) };
  const {
    oneOf,
    patternProperties,
    additionalProperties,
    unevaluatedProperties: _,
    ...kept
  } = Object.fromEntries(Object.entries(schema).filter(([keyword, value]) => !isIgnored(keyword, value))) as JsonSchema;
  const hasOthers = typeof additionalProperties === "object" && patternProperties === undefined;
  const inner = mapSubschemas({ ...kept, ...(hasOthers && { additionalProperties }) }, tolerant);
  if (oneOf === undefined) return inner;
  return { ...inner, allOf: [...(inner.allOf ?? []), { anyOf: oneOf.map(tolerant) }] };
}

/** A constant, as decoders read it: they keep what an object has besides. */
function sameParts(value: unknown): JsonSchema {
  if (Array.isArray(value)) {
    return { type: "array", prefixItems: value.map(sameParts), minItems: value.length, maxItems: value.length };
  }
  if (!isObject(value)) return { const: value };
  const parts = Object.entries(value).map(([name, part]) => [name, sameParts(part)]);
  return { type: "object", properties: Object.fromEntries(parts), required: Object.keys(value) };
}

function isIgnored(keyword: string, value: unknown): boolean {
  if (keyword === "format") return !Object.hasOwn(numberFormats, String(value));
  return keyword === "pattern" || validatorKeywords.includes(keyword) || conditionKeywords.includes(keyword);
}

function verdictOf(validate: ValidateFunction): Verdict {
  return (value) => {
    try {
      return validate(value);
    } catch (error) {
      // To compare objects, ajv calls `valueOf` and `toString`, which members can be called.
      if (error instanceof TypeError && /\.(?:valueOf|toString) is not a function/.test(error.message))
        return undefined;
      throw error;
    }
  };
}

/** A name in a JSON pointer in a URI fragment. */
function escape(name: string): string {
  return encodeURIComponent(name.replaceAll("~", "~0").replaceAll("/", "~1"));
}
