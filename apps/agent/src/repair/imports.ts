import { dirname, resolve } from "node:path";

/** Names that a file takes from another file of the project. */
export interface Import {
  /** How they are called here, and there. */
  readonly names: readonly { readonly local: string; readonly exported: string }[];
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

/** `{ one, two as second }` and `{ one, two: second }`, and a default or a namespace, which have no other name. */
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
