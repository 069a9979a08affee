/** Puts what is written by hand beside the schemas of the protocol into the built package: its users need it as well. */
import { cpSync } from "node:fs";

for (const file of ["v1/rules.json", "v1/prose.md", "v2/rules.json", "v2/prose.md"]) {
  cpSync(new URL(`../../schema/${file}`, import.meta.url), new URL(`../dist/schema/${file}`, import.meta.url));
}
