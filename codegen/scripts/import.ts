/**
 * Takes over the four schemas of the upstream package pinned in `pnpm-workspace.yaml`, or of a folder laid out like
 * its `schema/` that is given as an argument, and prints what changed. If one cannot be read, none is written.
 */
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { importRepository } from "../src/pipeline/import-repository.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const folder = process.argv[2];
// pnpm runs scripts in the folder of their package; an argument is relative to where the user is.
const base = process.env["INIT_CWD"] ?? process.cwd();

/** The folder of the pinned package, from one of the schemas that it exports. */
function pinned(): string {
  const schema = createRequire(import.meta.url).resolve("@agentclientprotocol/sdk/schema/v1/schema.json");
  return join(dirname(schema), "..");
}

process.exitCode = await importRepository(root, folder === undefined ? pinned() : resolve(base, folder), {
  out: (text) => process.stdout.write(text),
  error: (text) => process.stderr.write(text),
});
