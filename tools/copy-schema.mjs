// `copy-schema.mjs`: puts the JSON Schema of each version into `dist` of the package in the working directory, without blanks.
import { readFileSync, writeFileSync } from "node:fs";

for (const version of ["v1", "v2"]) {
  const schema = readFileSync(new URL(`../schema/${version}/schema.json`, import.meta.url), "utf8");
  writeFileSync(`dist/${version}/schema.json`, `${JSON.stringify(JSON.parse(schema))}\n`);
}
