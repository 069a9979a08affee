// What pnpm changes in the `package.json` of a tarball. The links of all packages come from the root's `repository`.
import { readFileSync } from "node:fs";
import { relative } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL(".", import.meta.url));
const { repository } = JSON.parse(readFileSync(new URL("package.json", import.meta.url), "utf8"));

/** Adds the links, and leaves out what only this repository needs: its scripts, its tools and the ways to its sources. */
function beforePacking(manifest, folder) {
  const directory = relative(root, folder).replaceAll("\\", "/");
  const { exports, sideEffects } = manifest;
  return {
    ...manifest,
    scripts: undefined,
    devDependencies: undefined,
    homepage: `${repository.url}/tree/main/${directory}#readme`,
    bugs: `${repository.url}/issues`,
    repository: { type: "git", url: `git+${repository.url}.git`, directory },
    exports: Object.fromEntries(Object.entries(exports).flatMap(withoutSource)),
    sideEffects: sideEffects && sideEffects.filter((file) => !file.startsWith("./src/")),
  };
}

/** An entry without its source, or nothing if it is only a source. */
function withoutSource([entry, target]) {
  if (typeof target === "string") return [[entry, target]];
  const conditions = Object.entries(target).filter(([condition]) => condition !== "@acp/source");
  return conditions.length === 0 ? [] : [[entry, Object.fromEntries(conditions)]];
}

export const hooks = { beforePacking };
