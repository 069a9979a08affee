// Makes one file of each entry of the package in the working directory: a runtime takes about half a millisecond for
// every file that it loads, which is most of the time that an import takes. Types are compiled by tsc, beside this.
import { readFileSync, rmSync } from "node:fs";
import { basename } from "node:path";

import { build } from "rolldown";

const { exports } = JSON.parse(readFileSync("package.json", "utf8"));
const sources = Object.values(exports).map((conditions) => conditions["@acp/source"]);
rmSync("dist", { recursive: true, force: true });
await build({
  // What two entries share becomes a file of its own: there is one guard of stdout, not one for each entry.
  input: Object.fromEntries(sources.map((source) => [basename(source, ".ts"), source])),
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
  },
});
