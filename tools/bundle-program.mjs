// `bundle-program.mjs`: makes `dist/main.js` of the program in the working directory. What is loaded for some
// commands only becomes a file of its own. Other packages of this repository stay packages, since a runtime picks among them;
// everything else is in the files: a program that loads a few files starts in a third of the time, and installs in a second.
// `@acp/ai` and `@acp/render` are in them, too, since what they need is not of this repository.
import { existsSync, rmSync } from "node:fs";
import { resolve } from "node:path";

import { build } from "rolldown";

import { thirdPartyLicenses } from "./third-party-licenses.mjs";

const entries = ["main", "keeper"].filter((name) => existsSync(`src/${name}.ts`));
rmSync("dist", { recursive: true, force: true });
const main = resolve("src/main.ts");
const isAcp = existsSync("src/cli");
/** What each start needs is one file beside that of the entry: what the entry loads at once, whatever is loaded later. */
const start = group("start", (graph) => [graph.getModuleInfo(main)?.dynamicallyImportedIds[0]]);
/** What the user interface of `acp` needs for its first frame is another one. */
const ui = group("ui", () =>
  ["chat", "sessions/session-recorder", "agents/resolve-agent", "ui/run-ui"].map((name) => resolve(`src/${name}.ts`)),
);

/** A file for what some modules need at once. */
function group(name, from) {
  let found;
  return {
    debugName: name,
    name(id, graph) {
      found ??= from(graph).reduce((all, each) => reach(each, graph, all), new Set());
      // What the entry loads at once is not for everybody.
      return found.has(id) && !reach(main, graph).has(id) ? name : null;
    },
  };
}

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
  external: [
    /^(?:node:|@acp\/(?!ai$|render(?:$|\/)|inspect\/program-help$|sessions\/internal$)|#(?:runtime|http)(?:$|\/))/u,
  ],
  platform: "node",
  plugins: [thirdPartyLicenses("THIRD-PARTY-LICENSES.txt")],
  // The CommonJS files of jsonc-parser load parts of it by names that no bundler sees.
  resolve: { mainFields: ["module", "main"] },
  logLevel: "warn",
  // What groups that share modules need.
  preserveEntrySignatures: "allow-extension",
  // What `@acp/ai` imports of it is not used here: nothing of it is left but a bare import.
  treeshake: { moduleSideEffects: (id) => (id === "@acp/mcp" ? false : undefined) },
  output: {
    dir: "dist",
    format: "esm",
    entryFileNames: "[name].js",
    chunkFileNames: "[name]-[hash].js",
    codeSplitting: { includeDependenciesRecursively: false, groups: isAcp ? [{ ...start, priority: 1 }, ui] : [start] },
    comments: { legal: true, annotation: true, jsdoc: false },
  },
});
