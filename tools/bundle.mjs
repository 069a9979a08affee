// `bundle.mjs [--one-main]`: makes one file of each entry of the package in the working directory: a runtime takes about half a millisecond for
// every file that it loads, which is most of the time that an import takes. Types are compiled by tsc, beside this.
import { readFileSync, rmSync } from "node:fs";
import { resolve } from "node:path";
import process from "node:process";

import { build } from "rolldown";

const { exports } = JSON.parse(readFileSync("package.json", "utf8"));
const entries = Object.values(exports).map((conditions) => ({
  source: conditions["@acp/source"],
  name: conditions.default.replace(/^\.\/dist\/|\.js$/gu, ""),
}));
const main = resolve(exports["."]["@acp/source"]);

/** The modules that a module loads, itself among them. */
function reach(id, graph, found = new Set()) {
  if (found.has(id)) return found;
  found.add(id);
  // What is told of a module is only there until the next is asked for.
  for (const imported of graph.getModuleInfo(id)?.importedIds.slice() ?? []) reach(imported, graph, found);
  return found;
}

let reachedByMain;
rmSync("dist", { recursive: true, force: true });
await build({
  input: Object.fromEntries(entries.map(({ name, source }) => [name, source])),
  external: /^(?:node:|@acp\/)/,
  platform: "neutral",
  logLevel: "warn",
  output: {
    dir: "dist",
    format: "esm",
    entryFileNames: "[name].js",
    chunkFileNames: "[name].js",
    sourcemap: true,
    sourcemapExcludeSources: true,
    // What two entries share becomes a file of its own: there is one guard of stdout, not one for each entry. Where the
    // other entries are nothing without the main one, what that needs is one file all the same.
    codeSplitting: !process.argv.includes("--one-main") || {
      groups: [
        {
          debugName: "main",
          name(id, graph) {
            reachedByMain ??= reach(main, graph);
            return reachedByMain.has(id) ? "main" : null;
          },
        },
      ],
    },
  },
});
