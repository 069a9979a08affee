// `bundle-program.mjs`: makes `dist/main.js` and `dist/demo.js` of the program in the working directory. What is loaded for some
// commands only becomes a file of its own. Other packages of this repository stay packages, since a runtime picks among them;
// everything else is in the files: a program that loads a few files starts in a third of the time, and installs in a second.
// `@acp/ai` is in them, too, since what it needs is not of this repository.
import { existsSync, rmSync } from "node:fs";
import { resolve } from "node:path";

import { build } from "rolldown";

import { thirdPartyLicenses } from "./third-party-licenses.mjs";

const entries = ["main", "demo"].filter((name) => existsSync(`src/${name}.ts`));
rmSync("dist", { recursive: true, force: true });
const main = resolve("src/main.ts");
let started;
/** What each start needs is one file beside that of the entry: what the entry loads at once, whatever is loaded later. */
const start = {
  debugName: "start",
  name(id, graph) {
    started ??= reach(graph.getModuleInfo(main)?.dynamicallyImportedIds[0], graph);
    return started.has(id) ? "start" : null;
  },
};
/** What each start of `acp` needs, for every command. */
const cli = {
  name: "cli",
  test: /\/src\/cli\/|src\/(?:commands|program)\.ts$|-spec\.ts$|apps\/client\/package\.json$/u,
};

/** The modules that a module cannot be loaded without, itself among them. */
function reach(id, graph, found = new Set()) {
  if (found.has(id)) return found;
  found.add(id);
  // What is told of a module is only there until the next is asked for.
  for (const imported of graph.getModuleInfo(id)?.importedIds.slice() ?? []) reach(imported, graph, found);
  return found;
}

await build({
  input: Object.fromEntries(entries.map((name) => [name, `src/${name}.ts`])),
  // What the help says of acp-inspect is needed by each start, and has no dependencies.
  external: [/^(?:node:|@acp\/(?!ai$|inspect\/program-help$|sessions\/internal$)|#(?:runtime|http)(?:$|\/))/u],
  platform: "node",
  plugins: [thirdPartyLicenses("THIRD-PARTY-LICENSES.txt")],
  // The CommonJS files of jsonc-parser load parts of it by names that no bundler sees.
  resolve: { mainFields: ["module", "main"] },
  logLevel: "warn",
  // What `@acp/ai` imports of it is not used here: nothing of it is left but a bare import.
  treeshake: { moduleSideEffects: (id) => (id === "@acp/mcp" ? false : undefined) },
  output: {
    dir: "dist",
    format: "esm",
    entryFileNames: "[name].js",
    chunkFileNames: "[name]-[hash].js",
    codeSplitting: { groups: [existsSync("src/cli") ? cli : start] },
    comments: { legal: true, annotation: true, jsdoc: false },
  },
});
