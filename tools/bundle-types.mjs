// `bundle-types.mjs`: puts the declarations of the package in the working directory together: what the main entry needs is one
// file, `main.d.ts`, and the other entries are a file each. Compilers and editors look for, read and bind these in place of a
// file for each module, which is most of what a package like this one costs them. Maps lead from them to the sources.
//
// Not for `@acp/schema`: it exports modules as a whole, and editors would show `Content` for `Received.Content`.
import { readFileSync } from "node:fs";
import { resolve } from "node:path";

import { build } from "rolldown";
import { dts } from "rolldown-plugin-dts";

const { name, exports, dependencies = {}, peerDependencies = {} } = JSON.parse(readFileSync("package.json", "utf8"));
// What has no conditions is a file as it is: `package.json`.
const entries = Object.values(exports)
  .filter((conditions) => typeof conditions !== "string")
  .map((conditions) => [conditions.types.replace(/^\.\/dist\/|\.d\.ts$/gu, ""), conditions["@acp/source"]]);
const main = resolve(exports["."]["@acp/source"]);

/** The source that a module of declarations is made of. */
const sourceOf = (id) => id.replace(/\.d\.ts$/u, ".ts");

/** The entry whose names those of an entry are made of: of `./v2/state` it is `./v2`, of `./state` the main one. */
function homeOf(source) {
  const [entry] = Object.entries(exports).find(([, conditions]) => resolve(conditions["@acp/source"] ?? "") === source);
  return name + entry.slice(1, entry.lastIndexOf("/"));
}

/** What a file of declarations has to refer to, and would not by itself. */
function references({ moduleIds, isEntry, facadeModuleId }) {
  const sources = moduleIds.map((id) => readFileSync(sourceOf(id), "utf8"));
  const libraries = sources.flatMap((source) => source.match(/^\/\/\/ <reference lib=.*$/gmu) ?? []);
  // In declarations that a compiler writes, it names types by the entries that it has read: here by one that has the name.
  const source = isEntry ? sourceOf(facadeModuleId) : main;
  const named = source === main ? [] : [`import type {} from "${homeOf(source)}";`];
  return [...new Set([...libraries, ...named])].join("\n");
}

await build({
  input: Object.fromEntries(entries),
  external: (id) => /^(?:node:|@acp\/|#)/u.test(id) || Object.hasOwn({ ...dependencies, ...peerDependencies }, id),
  platform: "neutral",
  logLevel: "warn",
  plugins: [
    dts({
      // The compiler itself, with the comments that others drop. Each time it would tell that it is new.
      generator: "tsgo",
      logger: { info() {}, warn() {}, error: console.error },
      tsconfig: "tsconfig.build.json",
      emitDtsOnly: true,
    }),
  ],
  output: {
    dir: "dist",
    format: "esm",
    chunkFileNames: "[name].js",
    minifyInternalExports: false,
    // What a group holds, it holds with all that this needs.
    codeSplitting: { groups: [{ name: "main.d", test: (id) => id.endsWith(".d.ts") && sourceOf(id) === main }] },
    postBanner: references,
  },
});
