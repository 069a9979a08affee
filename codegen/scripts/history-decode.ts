/** Decodes generated values of every definition of a schema, and prints how many valid ones are taken. */
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { Ajv2020 } from "ajv/dist/2020.js";
import * as fc from "fast-check";
import { normalizeDocument } from "../src/model/normalize/normalize-document.ts";
import { parseSchemaDocument } from "../src/model/schema-document.ts";
import { likelyValues } from "../src/testing/likely-values.ts";

// The generator does not depend on the runtime of what it generates.
const { decode } = await import("../../packages/schema/src/index.ts");

const [decoders = "", path = ""] = process.argv.slice(2);
const module: Readonly<Record<string, unknown>> = await import(pathToFileURL(decoders).href);
const document = normalizeDocument(parseSchemaDocument(readFileSync(path, "utf8"), path));
const ajv = new Ajv2020({ strict: false, logger: false, validateFormats: false }).addSchema(document, "schema");
let valid = 0;
let taken = 0;
for (const [name, values] of Object.entries(likelyValues(document))) {
  const decoder = module[`decode${name}`];
  if (decoder === undefined) continue;
  const accepts = ajv.compile({ $ref: `schema#/$defs/${name}` });
  for (const value of fc.sample(values, { numRuns: 20, seed: 1 })) {
    if (!accepts(value)) continue;
    valid++;
    if (decode(decoder as Parameters<typeof decode>[0], value).ok) taken++;
    else process.stderr.write(`${name} refuses ${JSON.stringify(value)}\n`);
  }
}
process.stdout.write(`${taken} of ${valid}\n`);
