/** A copy of what was built that needs no symbolic links: Wine does not show them as links, so modules would be there twice. */
import { cpSync, existsSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../../../", import.meta.url));

/** What is run, and what the tests need beyond what their package depends on. */
const programs: Readonly<Record<string, readonly string[]>> = {
  tests: ["ws", "@modelcontextprotocol/client", "@modelcontextprotocol/server"],
  "apps/agent": [],
  "apps/client": [],
  "packages/inspect": [],
};
/** Of a package of this repository. */
const parts = ["dist", "sample", "package.json"];

/** Writes the copy, in place of one that is there. */
export function stageCopy(target: string): void {
  rmSync(target, { recursive: true, force: true });
  const known = new Set<string>();
  for (const [program, more] of Object.entries(programs)) {
    copyParts(join(root, program), join(target, program));
    stageDependencies(join(root, program), more, target, known);
  }
}

/** All in one folder, as npm would have it: no package is there in two versions. */
function stageDependencies(folder: string, more: readonly string[], target: string, known: Set<string>): void {
  for (const name of [...dependenciesOf(folder), ...more]) {
    if (known.has(name)) continue;
    known.add(name);
    const found = realpathSync(find(folder, name));
    const copy = join(target, "node_modules", name);
    if (name.startsWith("@acp/")) copyParts(found, copy);
    else cpSync(found, copy, { recursive: true, filter: (path) => !path.slice(found.length).includes("node_modules") });
    stageDependencies(found, [], target, known);
  }
}

function dependenciesOf(folder: string): readonly string[] {
  const { dependencies = {} }: { readonly dependencies?: object } = JSON.parse(
    readFileSync(join(folder, "package.json"), "utf8"),
  );
  return Object.keys(dependencies);
}

/** Looks where Node would. */
function find(folder: string, name: string): string {
  const candidate = join(folder, "node_modules", name);
  if (existsSync(candidate)) return candidate;
  if (dirname(folder) === folder) throw new Error(`${name} is not installed`);
  return find(dirname(folder), name);
}

function copyParts(from: string, to: string): void {
  for (const part of parts) {
    if (existsSync(join(from, part))) cpSync(join(from, part), join(to, part), { recursive: true });
  }
}
