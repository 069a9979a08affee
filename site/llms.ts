// The site as text: each page under its address with `.md`, `llms.txt` with the table of contents, and all in one file.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

import { root, withSiteLinks } from "./links.ts";
import { pageOf } from "./pages.ts";
import { type Section } from "./sidebar.ts";

/** What search engines show of a page. */
const longest = 160;

/** A page in a sentence or two: its `description`, or the beginning of its first paragraph. */
export function describePage(markdown: string): string {
  const [, front = "", body = ""] = /^(?:---\n([^]*?)\n---\n)?([^]*)$/u.exec(markdown) ?? [];
  const written = /^description: (.+)$/mu.exec(front)?.[1];
  if (written !== undefined && written.length <= longest) return written;
  const paragraph = body
    .replaceAll(/<!--[^]*?-->/gu, "")
    .split(/\n{2,}/u)
    .map((part) => part.trim())
    .find((part) => /^(?!```)[\p{L}`*[]/u.test(part));
  const text = (paragraph ?? "")
    .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/gu, "$1")
    .replaceAll("**", "")
    .replaceAll(/\s+/gu, " ");
  const sentences = text.match(/.+?(?:[.?!](?= |$)|$)/gu) ?? [];
  const length = (count: number): number => sentences.slice(0, count).join("").length;
  const shown = sentences.filter((_, index) => length(index + 1) <= longest).join("");
  // A sentence that is too long ends at its last part that fits.
  const first = shown === "" ? (/^.*(?=[,:;] )/u.exec(text.slice(0, longest))?.[0] ?? "") : shown;
  return first.trim().replace(/[:,;]?$/u, (end) => (end !== "" || /[^.?!]$/u.test(first.trim()) ? "." : ""));
}

const read = (file: string): string => readFileSync(root + file, "utf8");

const title = "# ACP toolkit for TypeScript";
const tagline =
  "> Agents and clients of the Agent Client Protocol (ACP) in TypeScript, on Node.js, Deno, Bun and in browsers. Each page below is Markdown.";

/** `llms.txt`: the table of contents, with a sentence about each page. */
export function tableOfContents(all: readonly Section[], base: string): string {
  const lists = all.flatMap(({ text, groups }) => [
    `## ${text}`,
    groups
      .flatMap(({ items }) => items)
      .map((item) => {
        const about = describePage(read(item.file));
        return `- [${item.text}](${base}${pageOf(item.file)})${about === "" ? "" : `: ${about}`}`;
      })
      .join("\n"),
  ]);
  return [title, tagline, `Everything in one file: [llms-full.txt](${base}llms-full.txt)`, ...lists, ""].join("\n\n");
}

/** Lists of all types and members, and reports of runs: too long to be read at once. */
const long = /\/types\.md$|\/api\/|-unstable\/|docs\/reports\/|docs\/check-matrix\.md/u;

/** Writes the pages as text into the folder of the site. */
export function writeTexts(folder: string, base: string, files: readonly string[], sections: readonly Section[]): void {
  for (const file of files) {
    const page = pageOf(file);
    if (page === undefined || file === "site/index.md") continue;
    const to = join(folder, page);
    mkdirSync(dirname(to), { recursive: true });
    writeFileSync(to, withSiteLinks(read(file), file, base));
  }
  writeFileSync(join(folder, "llms.txt"), tableOfContents(sections, base));
  const entries = sections.flatMap(({ groups }) => groups.flatMap(({ items }) => items));
  const whole = entries
    .filter(({ file }) => !long.test(file))
    .map(({ file }) => `<!-- ${base}${pageOf(file)} -->\n\n${withSiteLinks(read(file), file, base)}`);
  writeFileSync(join(folder, "llms-full.txt"), [title, tagline, ...whole].join("\n\n"));
}
