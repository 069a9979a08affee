// A plugin of rolldown: writes the licences of all packages whose code is in the files of a program, as their licences ask.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** @returns {import("rolldown").Plugin} */
export function thirdPartyLicenses(fileName) {
  return {
    name: "third-party-licenses",
    generateBundle(_options, bundle) {
      const chunks = Object.values(bundle).filter(({ type }) => type === "chunk");
      const modules = chunks.flatMap((chunk) => Object.entries(chunk.modules));
      // What of a module is left may be nothing, but whoever has bundled it has read it all.
      const folders = new Set(modules.map(([id]) => packageFolderOf(id)).filter((folder) => folder !== undefined));
      const texts = [...folders].map(licenseOf);
      this.emitFile({ type: "asset", fileName, source: `${head}${[...new Set(texts)].toSorted().join(separator)}` });
    },
  };
}

const separator = `\n\n${"-".repeat(80)}\n\n`;
const head = `The files of this program contain code of the packages below.${separator}`;

/** The folder of a foreign package; `undefined` for a file of this repository, or one that the bundler makes. */
function packageFolderOf(id) {
  if (!id.includes("/node_modules/")) return undefined;
  for (let folder = dirname(id.replace(/^\0/u, "").replace(/\?.*$/u, "")); ; folder = dirname(folder)) {
    const manifest = join(folder, "package.json");
    // Some packages have folders with a package.json that says how to read the files, and nothing else.
    if (existsSync(manifest) && JSON.parse(readFileSync(manifest, "utf8")).name !== undefined) return folder;
    if (folder === dirname(folder)) throw new Error(`${id} belongs to no package`);
  }
}

function licenseOf(folder) {
  const { name, version, license, author, homepage } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const files = readdirSync(folder).filter((file) => /^(?:licen[cs]e|copying|notice)(?:[.-]|$)/iu.test(file));
  const who = typeof author === "object" ? author.name : author;
  const texts = files.toSorted().map((file) => readFileSync(join(folder, file), "utf8").trim());
  if (texts.length === 0) {
    const text = usual[license];
    if (text === undefined) throw new Error(`${name} has no licence text: add one to tools/third-party-licenses.mjs`);
    texts.push(`Copyright (c) ${who ?? `the authors of ${name}`}\n\n${text}`);
  }
  return [`${name} ${version} (${license})${homepage === undefined ? "" : `\n${homepage}`}`, ...texts].join("\n\n");
}

/** The texts of the licences that packages without a file of their own name. */
const usual = {
  "Apache-2.0": readFileSync(new URL("../LICENSE", import.meta.url), "utf8").trim(),
  MIT: `Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated documentation files (the "Software"), to deal in the Software without restriction, including without limitation the rights to use, copy, modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and to permit persons to whom the Software is furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.`,
};
