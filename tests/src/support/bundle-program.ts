import { join } from "node:path";

import { build } from "rolldown";

/** Bundles a program of the sources into a folder, as the product is bundled. Returns its file. */
export async function bundleProgram(input: string, directory: string): Promise<string> {
  await build({
    input: { program: input },
    external: /^node:/u,
    platform: "node",
    logLevel: "warn",
    resolve: { conditionNames: ["@acp/source", "import", "node", "default"] },
    output: { dir: directory, format: "esm", entryFileNames: "[name].mjs", chunkFileNames: "[name]-[hash].mjs" },
  });
  return join(directory, "program.mjs");
}
