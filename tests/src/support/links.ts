import { existsSync, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";

import { repositoryUrl, root } from "./packages.ts";

/** The files of this repository on the web: for READMEs that people read on npm. */
const repositoryFiles: string = `${repositoryUrl}/blob/main/`;

/**
 * The links of a Markdown file to other files of this repository, or to headings, that are not there. Other links to
 * the web are left alone.
 */
export function brokenLinks(file: string): readonly string[] {
  const links = withoutCode(file)
    .replaceAll(repositoryFiles, "repository:")
    .matchAll(/\]\((?!(?!repository:)\w+:)(repository:)?([^)#]*)(?:#([^)]*))?\)/g);
  return [...links].flatMap(([link, inRepository, path = "", anchor]) => {
    const folder = inRepository === undefined ? dirname(file) : root;
    // What follows a question mark is for the web: `?raw=true` of a picture.
    const target = path === "" ? file : join(folder, path.replace(/\?.*/, ""));
    if (!existsSync(target)) return [link];
    return anchor === undefined || (statSync(target).isFile() && headingIds(target).includes(anchor)) ? [] : [link];
  });
}

/** What stands in code is no link and no heading. */
function withoutCode(file: string): string {
  return readFileSync(file, "utf8").replaceAll(/^ *```.*?^ *```$/gms, "");
}

/** What links to headings are called, as GitHub, editors and npm do. */
function headingIds(file: string): readonly string[] {
  return [...withoutCode(file).matchAll(/^#+ (.*)$/gm)].map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}_ -]/gu, "")
      .replaceAll(" ", "-"),
  );
}
