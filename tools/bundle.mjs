// `bundle.mjs [--one-main | --main-is-all | --apart] [--with=<package>…] [--apart=<entry>]`: makes one file of each entry of the package in the
// working directory: a runtime takes up to a millisecond for every file that it loads, which is most of the time that an
// import takes.
// Types are compiled by tsc, beside this.
//
// What two entries share becomes a file of its own, unless it is said otherwise:
// `--one-main`: what the main entry needs is one file, `main.js`, which the others load as well: they are nothing without it.
//   The main entry is a line that takes its exports from there, so that it has no others.
// `--main-is-all`: the same without that line, which is a file more to load. For a main entry that exports all that the
//   others need of it, since what else they need would become an export as well.
// `--apart`: every entry has what it needs, once more if need be; so nothing of it may rest on being there once.
// `--apart=<entry>`: this one does. For an entry that is of use without the main one.
// `--with=<package>`: what is needed of that package is in the file as well: a file less to load, of which nothing is read that
//   this package does not need. Whoever uses that package, too, has two of it, so nothing of it may rest on being there once:
//   its symbols are those of `Symbol.for`, and `instanceof` knows errors of another copy.
import { readFileSync, rmSync } from "node:fs";
import { resolve } from "node:path";
import process from "node:process";

import { build } from "rolldown";

const { exports, dependencies = {}, peerDependencies = {} } = JSON.parse(readFileSync("package.json", "utf8"));
// What has no conditions is a file as it is: `package.json`.
const entries = Object.values(exports)
  .filter((conditions) => typeof conditions !== "string")
  .map((conditions) => [conditions.default.replace(/^\.\/dist\/|\.js$/gu, ""), conditions["@acp/source"]]);
const main = resolve(exports["."]["@acp/source"]);

/** The modules that a module loads, itself among them. */
function reach(id, graph, found = new Set()) {
  if (found.has(id)) return found;
  found.add(id);
  // What is told of a module is only there until the next is asked for.
  for (const imported of graph.getModuleInfo(id)?.importedIds.slice() ?? []) reach(imported, graph, found);
  return found;
}

/** Makes a file of this name of what the main entry needs. */
function mainAs(name) {
  let reached;
  return {
    debugName: "main",
    name(id, graph) {
      reached ??= reach(main, graph);
      return reached.has(id) ? name : null;
    },
  };
}

/** A source that is nothing but ASCII takes a byte for each character, in memory too; what else there is stands in strings. */
const ascii = {
  name: "ascii",
  generateBundle(_options, bundle) {
    for (const chunk of Object.values(bundle)) {
      const escape = (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
      if (chunk.type === "chunk") chunk.code = chunk.code.replaceAll(/[^\0-\x7F]/g, escape);
    }
  },
};

const options = process.argv.slice(2);
const form = options.find((option) => !option.includes("="));
const valuesOf = (option) =>
  options.filter((given) => given.startsWith(option)).map((given) => given.slice(option.length));
const inlined = valuesOf("--with=");
const alone = form === "--apart" ? entries.map(([name]) => name) : valuesOf("--apart=");
const others = Object.keys({ ...dependencies, ...peerDependencies });
const isOf = (id) => (name) => id === name || id.startsWith(`${name}/`);
/** Whether a module of ours, of the runtime or of the user's own packages stays where it is: `@acp/schema/v1` is of `@acp/schema`. */
const isElsewhere = (id) => (/^(?:node:|@acp\/|#)/u.test(id) || others.some(isOf(id))) && !inlined.some(isOf(id));
const groups = { "--one-main": [mainAs("main")], "--main-is-all": [mainAs("index")] }[form];
rmSync("dist", { recursive: true, force: true });
const together = entries.filter(([name]) => !alone.includes(name));
const separate = entries.filter(([name]) => alone.includes(name)).map((entry) => [entry]);
for (const input of [...separate, together].filter(({ length }) => length > 0)) {
  await build({
    input: Object.fromEntries(input),
    external: isElsewhere,
    resolve: { conditionNames: ["@acp/source"] },
    platform: "neutral",
    // The file of the main entry is the entry itself only if it may have other names, too.
    preserveEntrySignatures: form === "--main-is-all" ? "allow-extension" : "strict",
    logLevel: "warn",
    plugins: [ascii],
    output: {
      dir: "dist",
      format: "esm",
      entryFileNames: "[name].js",
      chunkFileNames: "[name].js",
      // Comments are a third of what would have to be read. Those for users are in the types, those for us in the sources.
      comments: { legal: true, annotation: true, jsdoc: false },
      codeSplitting: input !== together || groups === undefined || { groups },
    },
  });
}
