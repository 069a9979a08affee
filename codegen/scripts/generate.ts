/**
 * Generates everything that this repository keeps under version control from `schema/`: `packages/schema/src/v1`, `v2`
 * and `docs/protocol`. With `--check` it writes nothing, lists what is stale, has no prose or no example, and fails if
 * anything is.
 */
import { fileURLToPath } from "node:url";
import { generateRepository } from "../src/pipeline/generate-repository.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

process.exitCode = await generateRepository(root, process.argv.includes("--check"), {
  out: (text) => process.stdout.write(text),
  error: (text) => process.stderr.write(text),
});
