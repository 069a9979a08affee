/** Lists all that is left to write about the schemas of this repository, with a skeleton for each. */
import { fileURLToPath } from "node:url";
import { statusRepository } from "../src/pipeline/status-repository.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

process.exitCode = await statusRepository(root, {
  out: (text) => process.stdout.write(text),
  error: (text) => process.stderr.write(text),
});
