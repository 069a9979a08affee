import type { ValidateFunction } from "ajv";
import { strictAjv } from "../emit/validators/strict-ajv.ts";
import type { SchemaDocument } from "../model/schema-document.ts";

/** Says what the schema itself, untouched, accepts. Slow; for tests. */
export interface Oracle {
  readonly accepts: (definition: string, value: unknown) => boolean;
  /** What ajv finds wrong, one line each; empty when it accepts the value. */
  readonly errors: (definition: string, value: unknown) => readonly string[];
}

/**
 * Compiles the raw schema with ajv.
 *
 * Formats are annotations, as draft 2020-12 has them, but for the integers of up to 32 bits: the schema writes
 * `"format": "uint32"` and leaves out the `maximum` that goes with it. `discriminator` is OpenAPI's, and without effect
 * beside `oneOf`.
 */
export function rawSchemaOracle(document: SchemaDocument): Oracle {
  const ajv = strictAjv({ strictTypes: false, allErrors: false });
  ajv.addKeyword("discriminator");
  ajv.addFormat("int32", { type: "number", validate: (value: number) => value >= -(2 ** 31) && value < 2 ** 31 });
  ajv.addFormat("uint16", { type: "number", validate: (value: number) => value >= 0 && value < 2 ** 16 });
  ajv.addFormat("uint32", { type: "number", validate: (value: number) => value >= 0 && value < 2 ** 32 });
  ajv.addSchema({ $id: "raw", $defs: document.$defs });

  const validator = (definition: string): ValidateFunction => {
    const found = ajv.getSchema(`raw#/$defs/${definition}`);
    if (found === undefined) throw new Error(`The schema has no definition ${definition}`);
    return found;
  };
  return {
    accepts: (definition, value) => validator(definition)(value),
    errors: (definition, value) => {
      const validate = validator(definition);
      if (validate(value)) return [];
      return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
    },
  };
}
