import { reasonOf } from "../reason-of.ts";
/** One schema object of JSON Schema draft 2020-12, in the form that `normalizeDocument` gives it. */
export interface JsonSchema {
  readonly $ref?: string;
  readonly title?: string;
  readonly description?: string;
  readonly deprecated?: boolean;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly default?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly exclusiveMaximum?: number;
  readonly multipleOf?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: boolean;
  readonly contentEncoding?: string;
  readonly pattern?: string;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | JsonSchema;
  readonly unevaluatedProperties?: boolean | JsonSchema;
  readonly patternProperties?: Readonly<Record<string, JsonSchema>>;
  readonly propertyNames?: JsonSchema;
  readonly dependentSchemas?: Readonly<Record<string, JsonSchema>>;
  readonly items?: JsonSchema;
  readonly prefixItems?: readonly JsonSchema[];
  readonly unevaluatedItems?: JsonSchema;
  readonly contains?: JsonSchema;
  readonly allOf?: readonly JsonSchema[];
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly not?: JsonSchema;
  readonly if?: JsonSchema;
  readonly then?: JsonSchema;
  readonly else?: JsonSchema;
  /** Names the member that tells the branches of a union apart; `mapping` has its values, by reference. */
  readonly discriminator?: { readonly propertyName: string; readonly mapping?: Readonly<Record<string, string>> };
  /** The wire name of the method whose params or result this definition describes. */
  readonly "x-method"?: string;
  /** The side that handles the method: `agent`, `client`, `protocol` (both) or `proxy`. */
  readonly "x-side"?: string;
  /** An envelope that only documents the message frame; generators leave it out. */
  readonly "x-docs-ignore"?: boolean;
  /** A member that does not decode reads as absent, or as its default. */
  readonly "x-deserialize-default-on-error"?: boolean;
  /** Array items that do not decode are left out. */
  readonly "x-deserialize-skip-invalid-items"?: boolean;
  /** `null` reads as the empty value. */
  readonly "x-deserialize-default-on-null"?: boolean;
}

/** A whole ACP schema file: the root describes the message frame, `$defs` everything in it. */
export interface SchemaDocument extends JsonSchema {
  readonly $schema?: string;
  readonly $id?: string;
  readonly $defs: Readonly<Record<string, JsonSchema>>;
  /** The older name of `$defs`. */
  readonly definitions?: Readonly<Record<string, JsonSchema>>;
}

/** A schema, or a file beside it, that cannot be read; the message says where and why. */
export class SchemaError extends Error {
  override readonly name = "SchemaError";
}

/**
 * Reads the text of a schema file.
 *
 * Checks only that it is a JSON object with keywords of a schema, and that its definitions are schemas; {@link readModel} checks the rest.
 *
 * @throws SchemaError naming `source` when it is not.
 */
export function parseSchemaDocument(text: string, source: string): SchemaDocument {
  const parsed = parseJson(text, source);
  if (!isSchemaDocument(parsed)) throw new SchemaError(`${source} is not an ACP schema: it has no object \`$defs\``);
  const deep = tooDeep(parsed);
  if (deep !== undefined) {
    throw new SchemaError(`${source}: the schema nests deeper than ${maxDepth} levels at ${deep}; use references`);
  }
  const broken = Object.entries({ ...parsed.$defs, ...parsed.definitions }).find(
    ([, definition]) => !isPlainObject(definition) && typeof definition !== "boolean",
  );
  if (broken !== undefined) throw new SchemaError(`${source}: Definition ${broken[0]}: expected a schema object`);
  return { ...parsed, $defs: parsed.$defs ?? {} };
}

/** No schema that people write nests as deep. */
const maxDepth = 250;

/** The beginning of the way to something that nests too deep. */
function tooDeep(value: unknown, steps: readonly string[] = []): string | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  if (steps.length === maxDepth) return `/${steps.slice(0, 8).join("/")}/…`;
  for (const [step, part] of Object.entries(value)) {
    const found = tooDeep(part, [...steps, step]);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Parses the JSON of a file. @throws SchemaError of one line that names `source`. */
export function parseJson(text: string, source: string): unknown {
  try {
    // Some editors begin a file with a byte order mark.
    return JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch (cause) {
    // V8 quotes the text around the place, line breaks and all.
    const reason = reasonOf(cause).replaceAll(/\s+/g, " ");
    throw new SchemaError(`${source} is not JSON: ${reason}`, { cause });
  }
}

/** One of these makes a JSON object a schema. */
const schemaMarks: ReadonlySet<string> = new Set(
  "$schema $defs definitions properties patternProperties required items prefixItems contains type enum const $ref allOf anyOf oneOf not if minimum maximum minLength maxLength pattern format additionalProperties dependencies dependentRequired dependentSchemas propertyNames minItems maxItems minProperties maxProperties uniqueItems multipleOf exclusiveMinimum exclusiveMaximum unevaluatedItems unevaluatedProperties $dynamicRef".split(
    " ",
  ),
);

function isSchemaDocument(value: unknown): value is SchemaDocument {
  if (!isPlainObject(value) || !Object.keys(value).some((keyword) => schemaMarks.has(keyword))) return false;
  const { $defs, definitions, properties } = value;
  return [$defs, definitions, properties].every((part) => part === undefined || isPlainObject(part));
}

/** A JSON object, as opposed to an array, `null` or a scalar. */
export function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
