// Where the links of the repository's Markdown lead on the site: to pages, and else to the repository.
import { existsSync, readFileSync, statSync } from "node:fs";
import { posix } from "node:path";
import { fileURLToPath } from "node:url";

import { pageOf } from "./pages.ts";

/** The root of the repository, which ends with a slash. */
export const root: string = fileURLToPath(new URL("..", import.meta.url));

const manifest: { readonly repository: { readonly url: string } } = JSON.parse(
  readFileSync(`${root}package.json`, "utf8"),
);
/** Where the repository is on the web. */
export const repositoryUrl: string = manifest.repository.url;

interface Place {
  /** A path from the root of the repository. */
  readonly path: string;
  /** What follows: a query or a hash. */
  readonly rest: string;
}

/** The place in the repository that a link of a file means, unless it leads elsewhere or within the page. */
function placeOf(file: string, href: string): Place | undefined {
  const inRepository = new RegExp(`^${repositoryUrl}/(?:blob|tree)/main/`, "u");
  const [full = "", rest = ""] = /^([^?#]*)(.*)$/su.exec(href.replace(inRepository, "/"))?.slice(1) ?? [];
  if (full === "" || /^\w+:/u.test(full)) return undefined;
  const path = full.startsWith("/") ? full.slice(1) : posix.join(posix.dirname(file), full);
  return { path: decodeURI(path), rest };
}

/** What a link in a file of the repository becomes: `/guide/limits.md#anchor`, or an address of the repository. */
export function target(file: string, href: string): string {
  const place = placeOf(file, href);
  if (place === undefined) return href;
  const { path, rest } = place;
  const page = pageOf(path);
  if (page !== undefined) return `/${page}${rest}`;
  const kind = existsSync(root + path) && statSync(root + path).isDirectory() ? "tree" : "blob";
  return `${repositoryUrl}/${kind}/main/${path}${rest}`;
}

/** The file of a picture, from the folder of the file that shows it: the site has its pictures itself. */
export function picture(file: string, href: string): string {
  const place = placeOf(file, href);
  return place === undefined ? href : posix.relative(posix.dirname(file), place.path);
}

/** Markdown with the links of the site, for people and programs that read it as text. */
export function withSiteLinks(markdown: string, file: string, base: string): string {
  const link = (_: string, before: string, href: string): string => {
    const to = before.startsWith("!") ? href : target(file, href);
    return `${before}${to.startsWith("/") ? base + to.slice(1) : to})`;
  };
  return markdown
    .split(/(^ *```[^]*?^ *```$)/mu)
    .map((part, index) =>
      index % 2 === 1 ? part : part.replaceAll(/(!?\[(?:[^[\]]|\[[^\]]*\])*\]\()([^)\s]+)\)/gu, link),
    )
    .join("");
}
