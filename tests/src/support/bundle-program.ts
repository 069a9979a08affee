import { join } from "node:path";

import { build } from "rolldown";

/** Bundles a program of the sources, which may contain JSX, into a folder, as the product is bundled. Returns its file. */
export async function bundleProgram(input: string, directory: string): Promise<string> {
  await build({
    input: { program: input },
    external: [/^node:/u, "react-devtools-core"],
    platform: "node",
    logLevel: "warn",
    resolve: { conditionNames: ["@acp/source", "import", "node", "default"] },
    transform: { jsx: "react-jsx", define: { "process.env.NODE_ENV": '"production"' } },
    output: { dir: directory, format: "esm", entryFileNames: "[name].mjs", chunkFileNames: "[name]-[hash].mjs" },
  });
  return join(directory, "program.mjs");
}
