// Makes `dist`: the program in one file, and the templates in both languages, with the versions that were tested.
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import process from "node:process";
import { execFileSync } from "node:child_process";

import { build } from "rolldown";

import { stripTypes } from "./strip-types.ts";

const require = createRequire(import.meta.url);
const target = "dist/templates";

rmSync("dist", { recursive: true, force: true });
await build({
  input: "src/main.ts",
  external: /^node:/u,
  platform: "node",
  logLevel: "warn",
  output: { dir: "dist", format: "esm", entryFileNames: "main.js", comments: { jsdoc: false } },
});
for (const template of readdirSync("templates")) {
  const from = join("templates", template);
  const to = join(target, template);
  mkdirSync(to, { recursive: true });
  cpSync(from, to, { recursive: true, filter: (path) => !/node_modules|tsconfig\.check\.json/u.test(path) });
  for (const file of readdirSync(to, { recursive: true, encoding: "utf8" })) {
    const path = join(to, file);
    const [, lang] = /\.(tsx?)$/u.exec(file) ?? [];
    if (lang === "ts" || lang === "tsx") {
      const code = stripTypes(readFileSync(path, "utf8"), lang).replaceAll(/(?<=from "\.[^"]*)\.ts(x?)"/gu, '.js$1"');
      writeFileSync(path.replace(/\.ts(x?)$/u, ".js$1"), code);
    }
    if (file === "package.json") writeFileSync(path, withVersions(readFileSync(path, "utf8")));
  }
}
const oxfmt = join(require.resolve("oxfmt/package.json"), "../bin/oxfmt");
execFileSync(process.execPath, [oxfmt, "--config", "scripts/oxfmt.json", ...madeFiles()], {
  stdio: ["ignore", "ignore", "inherit"],
});

/** Exact versions in place of `catalog:`. Those of this repository are the version of this package, which changes later. */
function withVersions(manifest: string): string {
  return manifest.replaceAll(/"([^"]+)": "catalog:"/gu, (_all, name: string) => {
    const { version }: { readonly version: string } = require(`${name}/package.json`);
    return `"${name}": "${version}"`;
  });
}

function madeFiles(): readonly string[] {
  const files = readdirSync(target, { recursive: true, encoding: "utf8" });
  return files.filter((file) => /\.jsx?$/u.test(file)).map((file) => join(target, file));
}
