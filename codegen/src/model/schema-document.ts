/** One schema object of JSON Schema draft 2020-12, with the keywords that ACP schemas use. */
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
  readonly minLength?: number;
  readonly minItems?: number;
  readonly contentEncoding?: string;
  readonly pattern?: string;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | JsonSchema;
  readonly unevaluatedProperties?: boolean | JsonSchema;
  readonly items?: JsonSchema;
  readonly allOf?: readonly JsonSchema[];
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly not?: JsonSchema;
  readonly discriminator?: { readonly propertyName: string };
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
  readonly $defs: Readonly<Record<string, JsonSchema>>;
}

/** A schema, or a file beside it, that cannot be read; the message says where and why. */
export class SchemaError extends Error {
  override readonly name = "SchemaError";
}

/**
 * Reads the text of a schema file.
 *
 * Checks only that it is a JSON object with `$defs` that are objects; {@link readModel} checks the rest.
 *
 * @throws SchemaError naming `source` when it is not.
 */
export function parseSchemaDocument(text: string, source: string): SchemaDocument {
  const parsed = parseJson(text, source);
  if (!isSchemaDocument(parsed)) throw new SchemaError(`${source} is not an ACP schema: it has no object \`$defs\``);
  const broken = Object.entries(parsed.$defs).find(([, definition]) => !isPlainObject(definition));
  if (broken !== undefined) throw new SchemaError(`${source}: Definition ${broken[0]}: expected a schema object`);
  return parsed;
}

/** Parses the JSON of a file. @throws SchemaError of one line that names `source`. */
export function parseJson(text: string, source: string): unknown {
  try {
    // Some editors begin a file with a byte order mark.
    return JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch (cause) {
    // V8 quotes the text around the place, line breaks and all.
    const reason = (cause instanceof Error ? cause.message : String(cause)).replaceAll(/\s+/g, " ");
    throw new SchemaError(`${source} is not JSON: ${reason}`, { cause });
  }
}

function isSchemaDocument(value: unknown): value is SchemaDocument {
  return isPlainObject(value) && isPlainObject(value["$defs"]);
}

/** A JSON object, as opposed to an array, `null` or a scalar. */
export function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
