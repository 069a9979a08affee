// `bundle-program.mjs`: makes `dist/main.js` and `dist/demo.js` of the program in the working directory. What is loaded for some
// commands only becomes a file of its own. Other packages of this repository stay packages, since a runtime picks among them;
// everything else is in the files: a program that loads a few files starts in a third of the time, and installs in a second.
import { existsSync, rmSync } from "node:fs";

import { build } from "rolldown";

import { thirdPartyLicenses } from "./third-party-licenses.mjs";

const entries = ["main", "demo"].filter((name) => existsSync(`src/${name}.ts`));
rmSync("dist", { recursive: true, force: true });
/** The layout of Ink is bytes in its source. It need not be fetched like a page: loading `fetch` takes a fifth of the time to start. */
const layoutWithoutFetch = {
  name: "layout-without-fetch",
  transform: {
    filter: { id: /yoga-wasm-base64-esm\.js$/u },
    handler: (code) => code.replaceAll('"function"!=typeof fetch', "true"),
  },
};
await build({
  input: Object.fromEntries(entries.map((name) => [name, `src/${name}.ts`])),
  // What the help says of acp-inspect is needed by each start, and has no dependencies. Ink loads its debugger only if someone asks for it.
  external: [/^(?:node:|@acp\/(?!inspect\/program-help$)|#(?:runtime|http)$)/u, "react-devtools-core"],
  platform: "node",
  plugins: [layoutWithoutFetch, thirdPartyLicenses("THIRD-PARTY-LICENSES.txt")],
  // The CommonJS files of jsonc-parser load parts of it by names that no bundler sees.
  resolve: { mainFields: ["module", "main"] },
  logLevel: "warn",
  transform: { define: { "process.env.NODE_ENV": '"production"' } },
  output: {
    dir: "dist",
    format: "esm",
    entryFileNames: "[name].js",
    chunkFileNames: "[name]-[hash].js",
    // What each start needs is one file.
    codeSplitting: {
      groups: [
        { name: "cli", test: /\/src\/(?:cli|version)\/|src\/program\.ts$|-spec\.ts$|apps\/client\/package\.json$/u },
      ],
    },
    comments: { legal: true, annotation: true, jsdoc: false },
  },
});
