import type { ProtocolModel } from "../../model/protocol-model.ts";
import { Edition, pageNames, type ReferenceOptions } from "./edition.ts";
import { blocks } from "./markdown.ts";
import { finish, pageText } from "./pages.ts";

export type { ReferenceOptions } from "./edition.ts";

/**
 * Writes the reference of one version as Markdown pages: methods, session updates, capabilities, errors, types, and
 * an index of them.
 *
 * @returns Pages by file name relative to the folder of all references: `v1/methods.md`. Deterministic.
 */
export function emitReference(model: ProtocolModel, options: ReferenceOptions): Record<string, string> {
  const edition = new Edition(model, options);
  const pages: Record<string, string> = {};
  for (const page of pageNames) {
    const text = pageText(page, edition);
    if (text !== undefined) pages[`${options.folder}/${page}.md`] = text;
  }
  return pages;
}

/** Writes the start page above the references of all versions: `index.md`. */
export function emitReferenceIndex(references: readonly ReferenceOptions[]): Record<string, string> {
  const links = references.map(({ folder, title }) => `- [${title}](${folder}/index.md)`);
  return { "index.md": finish(blocks("# Protocol reference", links.join("\n"))) };
}
