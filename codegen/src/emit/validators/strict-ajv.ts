import { Ajv2020, type Options } from "ajv/dist/2020.js";

/** The keywords of the protocol's schemas that say nothing about validity. */
const annotations = [
  "x-docs-ignore",
  "x-method",
  "x-side",
  "x-deserialize-default-on-error",
  "x-deserialize-default-on-null",
  "x-deserialize-skip-invalid-items",
] as const;

const numberFormats = ["int32", "int64", "uint16", "uint32", "uint64", "double"] as const;
// The last two are our own, from the rules beside the schema.
const stringFormats = ["uri", "date-time", "regex", "absolute-path", "base64"] as const;

/**
 * An ajv for draft 2020-12 in full strict mode that knows the protocol's annotations and formats.
 *
 * A keyword or format that it does not know makes it throw: a new one in the schema needs a decision, not silence.
 * The formats accept everything here; what they check is in the run-time module of the compiled validators.
 */
export function strictAjv(options: Options = {}): Ajv2020 {
  const ajv = new Ajv2020({ strict: true, logger: false, ...options });
  for (const keyword of annotations) ajv.addKeyword(keyword);
  for (const format of numberFormats) ajv.addFormat(format, { type: "number", validate: () => true });
  for (const format of stringFormats) ajv.addFormat(format, { type: "string", validate: () => true });
  return ajv;
}
