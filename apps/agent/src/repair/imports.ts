import { dirname, resolve } from "node:path";

/** Names that a file takes from another file of the project. */
export interface Import {
  readonly names: readonly string[];
  readonly path: string;
}

const esModule = /import\s+([^"';]+?)\s+from\s*["'](\.{1,2}\/[^"']+)["']/gu;
const commonJs = /(?:const|let|var)\s+([^=;]+?)\s*=\s*require\(\s*["'](\.{1,2}\/[^"']+)["']\s*\)/gu;

/** What a file imports from files near it. */
export function localImports(source: string, path: string): Import[] {
  return [...source.matchAll(esModule), ...source.matchAll(commonJs)].map(([, clause = "", specifier = ""]) => ({
    names: importedNames(clause),
    path: resolve(dirname(path), withExtension(specifier)),
  }));
}

/** The original and the local names: either may be the one to look for. */
function importedNames(clause: string): string[] {
  return (clause.match(/[\w$]+/gu) ?? []).filter((word) => word !== "as" && word !== "type");
}

function withExtension(specifier: string): string {
  return /\.[cm]?[jt]sx?$/u.test(specifier) ? specifier : `${specifier}.js`;
}
