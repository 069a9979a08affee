/**
 * Takes over the four schemas of the upstream package pinned in `pnpm-workspace.yaml`, or of a folder laid out like
 * its `schema/` that is given as an argument, and prints what changed.
 */
import { createRequire } from "node:module";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { importCommand } from "../src/cli/import-command.ts";
import { workspaceSchemas } from "../src/pipeline/workspace.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const pinned = createRequire(import.meta.url);
const folder = process.argv[2];
// pnpm runs scripts in the folder of their package; an argument is relative to where the user is.
const base = process.env["INIT_CWD"] ?? process.cwd();

for (const { path } of workspaceSchemas) {
  const file = path.replace(/^schema\//, "");
  const upstream =
    folder === undefined ? pinned.resolve(`@agentclientprotocol/sdk/schema/${file}`) : resolve(base, folder, file);
  process.stdout.write(`${path}\n`);
  await importCommand(upstream, resolve(root, path), {
    out: (text) => process.stdout.write(`${text}\n`),
    error: (text) => process.stderr.write(text),
  });
}
