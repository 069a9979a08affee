import { dirname, resolve } from "node:path";

/** An import from another file of the project. */
export interface Import {
  /** The imported names: in this file, and in the other one. */
  readonly names: readonly { readonly local: string; readonly exported: string }[];
  readonly path: string;
}

const esModule = /import\s+([^"';]+?)\s+from\s*["'](\.{1,2}\/[^"']+)["']/gu;
const commonJs = /(?:const|let|var)\s+([^=;]+?)\s*=\s*require\(\s*["'](\.{1,2}\/[^"']+)["']\s*\)/gu;

/** Finds the imports and `require` calls of a file with a relative path. */
export function findLocalImports(source: string, path: string): Import[] {
  return [...source.matchAll(esModule), ...source.matchAll(commonJs)].map(([, clause = "", specifier = ""]) => ({
    names: importedNames(clause),
    path: resolve(dirname(path), withExtension(specifier)),
  }));
}

/** Parses `{ one, two as second }` and `{ one, two: second }`. A default import or namespace counts as a name of both files. */
function importedNames(clause: string): Import["names"] {
  return [...clause.matchAll(/([\w$]+)(?:\s*(?:\bas\b|:)\s*([\w$]+))?/gu)].map(
    ([, exported = "", local = exported]) => ({
      local,
      exported,
    }),
  );
}

function withExtension(specifier: string): string {
  return /\.[cm]?[jt]sx?$/u.test(specifier) ? specifier : `${specifier}.js`;
}
