import { Ajv2020, type Options } from "ajv/dist/2020.js";
import { numberFormats, stringFormats } from "../../model/formats.ts";
import { Place } from "../../model/place.ts";
import { SchemaError } from "../../model/schema-document.ts";
import type { ValidatorSchema } from "./simplify.ts";

/** The keywords of the protocol's schemas that say nothing about validity. */
const annotations = [
  "x-docs-ignore",
  "x-method",
  "x-side",
  "x-deserialize-default-on-error",
  "x-deserialize-default-on-null",
  "x-deserialize-skip-invalid-items",
] as const;

/** Our own, from the rules beside the schema. */
const ruleFormats = ["absolute-path", "base64", "extension-name"] as const;

/**
 * An ajv for draft 2020-12 in full strict mode that knows the protocol's annotations and formats.
 *
 * A keyword or format that it does not know makes it throw: a new one in the schema needs a decision, not silence.
 * The formats accept everything here; what they check is in the run-time module of the compiled validators.
 */
export function strictAjv(options: Options = {}): Ajv2020 {
  const ajv = new Ajv2020({ strict: true, logger: false, ...options });
  for (const keyword of annotations) ajv.addKeyword(keyword);
  for (const format of Object.keys(numberFormats)) ajv.addFormat(format, { type: "number", validate: () => true });
  for (const format of [...stringFormats, ...ruleFormats])
    ajv.addFormat(format, { type: "string", validate: () => true });
  return ajv;
}

/** What `compile` returns. @throws SchemaError naming the definition: the errors of ajv name a path at most. */
export function orNotTaken<T>(definitions: Readonly<Record<string, ValidatorSchema>>, compile: () => T): T {
  try {
    return compile();
  } catch (cause) {
    const others = Object.fromEntries(Object.keys(definitions).map((name) => [name, {}]));
    for (const [name, definition] of Object.entries(definitions)) {
      const ajv = strictAjv().addSchema({ $id: "acp", $defs: { ...others, [name]: definition } });
      try {
        ajv.getSchema(`acp#/$defs/${name}`);
      } catch (error) {
        throw new Place(name).unsupported(messageOf(error));
      }
    }
    throw new SchemaError(messageOf(cause), { cause });
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
