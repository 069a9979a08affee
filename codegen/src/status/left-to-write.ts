import type { ProtocolModel } from "../model/protocol-model.ts";
import type { Left } from "./rules-left.ts";
import { blank, skeletonValue, skeletonVariant } from "./skeleton-value.ts";

/** Sections for what has no prose: places as `mergeProse` lists them. */
export function findProseLeft(missing: readonly string[]): readonly Left[] {
  const sections = new Map<string, { isWhole: boolean; items: string[] }>();
  for (const place of new Set(missing)) {
    const [, definition = place, sign, rest = ""] = /^(\w+)(?:([.=])(.*))?$/s.exec(place) ?? [];
    const section = sections.get(definition) ?? { isWhole: false, items: [] };
    sections.set(definition, section);
    if (sign === undefined) section.isWhole = true;
    else section.items.push(sign === "." ? `- \`${rest}\`: ${blank}` : `- \`= ${rest}\`: ${blank}`);
  }
  return [...sections].map(([definition, { isWhole, items }]) => {
    if (!isWhole) return { what: `In the section of ${definition}:`, skeleton: items };
    return { skeleton: [`## ${definition}`, "", blank, ...(items.length > 0 ? ["", ...items] : [])] };
  });
}

/** Entries for what has no example: methods and variants as `matchExamples` lists them. */
export function findExamplesLeft(
  missing: readonly { readonly place: string; readonly model: ProtocolModel }[],
): readonly Left[] {
  const models = new Map(missing.map(({ place, model }) => [place, model]));
  return [...models].map(([place, model]) => ({ skeleton: jsonLines(exampleOf(place, model)) }));
}

/** On one line if it is short, as people write it. */
function jsonLines(value: object): readonly string[] {
  const line = JSON.stringify(value);
  return `${line.length < 80 ? line : JSON.stringify(value, undefined, 2)},`.split("\n");
}

function exampleOf(place: string, model: ProtocolModel): object {
  const [, definition, tag] = /^(\w+)=(.*)$/s.exec(place) ?? [];
  if (definition !== undefined && tag !== undefined) {
    return { definition, value: skeletonVariant(model, definition, tag) };
  }
  const method = model.methods.find(({ name, kind }) => place === `${name} (${kind})`);
  if (method === undefined) return { method: place, params: {} };
  const params = skeletonValue(model, method.params);
  if (method.result === undefined) return { method: method.name, params };
  return { method: method.name, params, result: skeletonValue(model, method.result) };
}

/** Cases for the variants of a union that a source text has none for. */
export function findCasesLeft(tags: readonly string[], code: string): readonly Left[] {
  const missing = tags.filter((tag) => !code.includes(`case ${JSON.stringify(tag)}`));
  return missing.map((tag) => ({ skeleton: [`case ${JSON.stringify(tag)}:`, `  return { ...state, ${blank} };`] }));
}

/** What is left to write, by the files it goes into; empty when that is nothing. */
export function formatLeft(files: readonly (readonly [file: string, left: readonly Left[]])[]): string {
  const texts = files
    .filter(([, left]) => left.length > 0)
    .map(([file, left]) => {
      const entries = left.map(({ what, skeleton }) => [
        ...(what === undefined ? [] : [`  ${what}`]),
        ...skeleton.map((line) => (line === "" ? "" : `    ${line}`)),
        "",
      ]);
      return [`${file}: ${left.length} left to write`, "", ...entries.flat()].join("\n");
    });
  return texts.join("\n");
}
