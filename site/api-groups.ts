// The table of contents with the part that follows from the packages: the reference of each import.
import { existsSync, readFileSync } from "node:fs";

import { type Entry, type Section, sections } from "./sidebar.ts";

const list = new URL("generated/api.json", import.meta.url);

/** All sections, with the pages of the API if they have been written. */
export function allSections(): readonly Section[] {
  const items: readonly Entry[] = existsSync(list) ? JSON.parse(readFileSync(list, "utf8")) : [];
  if (items.length === 0) return sections;
  return sections.map((section) =>
    section.path === "packages/"
      ? { ...section, groups: [...section.groups, { text: "API of each import", collapsed: true, items }] }
      : section,
  );
}
