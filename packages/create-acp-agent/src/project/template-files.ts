import { readdirSync, readFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";

import type { Language, Template } from "../options/options.ts";
import type { Files } from "./plan.ts";

/** The templates as they were built, with the code in both languages. */
const folder = fileURLToPath(new URL("templates/", import.meta.url));

/** The files of a template in a language, before names and versions are filled in. */
export function readTemplate(template: Template, language: Language): Files {
  const layers = ["shared", ...(template === "page" ? [] : ["program"]), template];
  return new Map(layers.flatMap((layer) => filesOf(layer, language)));
}

function filesOf(name: string, language: Language): readonly (readonly [string, string])[] {
  const root = join(folder, name);
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).split(sep).join("/"))
    .filter((path) => !(language === "ts" ? /\.jsx?$/u : /\.tsx?$|^tsconfig\b/u).test(path))
    .map((path) => [visible(path), readFileSync(join(root, path), "utf8")] as const);
}

/** npm packs no `.gitignore`. */
function visible(path: string): string {
  return path === "gitignore" ? ".gitignore" : path;
}
