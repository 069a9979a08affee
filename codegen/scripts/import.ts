/**
 * Imports the schemas of the upstream package pinned in `pnpm-workspace.yaml`, or of a folder laid out like its
 * `schema/`, and prints what changed. `--help` lists the options.
 */
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { importRepository } from "../src/pipeline/import-repository.ts";
import { type ProtocolVersion, protocolVersions } from "../src/pipeline/workspace.ts";
import { reasonOf } from "../src/reason-of.ts";

const help = `Replaces the schemas in schema/ by those of the pinned @agentclientprotocol/sdk, or of a folder.

npm run schema:import -- [<folder>] [--only <version>] [--prune]

  <folder>          A folder laid out like the schema/ of that package: v1/schema.json, v1/schema.unstable.json, v2/...
  --only <version>  Replaces the schemas of this version only: v1 or v2. Can be given more than once.
  --prune           Removes from rules, prose and examples what the new schemas do not have, and lists it.

No file is replaced unless everything can be generated from the new schemas. All problems are listed at once.
Then: npm run generate, and npm run schema:status for what is left to write.
`;

const root = fileURLToPath(new URL("../..", import.meta.url));
// pnpm runs scripts in the folder of their package; an argument is relative to where the user is.
const base = process.env["INIT_CWD"] ?? process.cwd();

/** The folder of the pinned package, from one of the schemas that it exports. */
function pinned(): string {
  const schema = createRequire(import.meta.url).resolve("@agentclientprotocol/sdk/schema/v1/schema.json");
  return join(dirname(schema), "..");
}

function readVersion(name: string): ProtocolVersion {
  const version = protocolVersions.find((known) => known === name);
  if (version === undefined) throw new Error(`--only is ${protocolVersions.join(" or ")}, not ${name}`);
  return version;
}

async function main(): Promise<0 | 1> {
  const { values, positionals } = parseArgs({
    options: {
      only: { type: "string", multiple: true },
      prune: { type: "boolean", default: false },
      help: { type: "boolean", short: "h", default: false },
    },
    allowPositionals: true,
  });
  const [folder, ...more] = positionals;
  if (more.length > 0) throw new Error(`expected one folder, not ${positionals.join(", ")}`);
  if (values.help) {
    process.stdout.write(help);
    return 0;
  }
  const { only, prune } = values;
  const options = { prune, ...(only !== undefined && { only: [...new Set(only.map(readVersion))] }) };
  return await importRepository(root, folder === undefined ? pinned() : resolve(base, folder), options, {
    out: (text) => process.stdout.write(text),
    error: (text) => process.stderr.write(text),
  });
}

try {
  process.exitCode = await main();
} catch (error) {
  process.stderr.write(`schema:import: ${reasonOf(error)}\n`);
  process.exitCode = 1;
}
