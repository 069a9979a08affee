import type { SchemaChange } from "./diff-documents.ts";
import type { Breaks } from "./breaks.ts";

/** Whom a change can break, in the order in which reports name them. */
export const parties: readonly (keyof Breaks)[] = ["readers", "writers", "sources"];

const signs = { added: "+", removed: "-", changed: "~" } as const;

/** How many methods a line of text names. */
const named = 3;

/** The changes as text for people: what breaks first. Each line that breaks somebody ends with whom it breaks. */
export function formatChanges(changes: readonly SchemaChange[]): string {
  if (changes.length === 0) return "No changes.\n";
  const breaking = changes.filter((change) => change.breaking);
  const compatible = changes.filter((change) => !change.breaking);
  const lines = [summarize(changes), ...section("Breaking", breaking), ...section("Compatible", compatible), ""];
  return lines.join("\n");
}

/** Counts the changes, and the breaks per audience. */
export function summarize(changes: readonly SchemaChange[]): string {
  const count = (change: SchemaChange["change"]): number => changes.filter((entry) => entry.change === change).length;
  const breaking = changes.filter((change) => change.breaking);
  const counts = `${count("added")} added, ${count("removed")} removed, ${count("changed")} changed`;
  if (breaking.length === 0) return `${counts}; 0 breaking.`;
  const shares = parties.map((party) => `${breaking.filter(({ breaks }) => breaks[party]).length} for ${party}`);
  return `${counts}; ${breaking.length} breaking: ${shares.join(", ")}.`;
}

function section(title: string, changes: readonly SchemaChange[]): readonly string[] {
  if (changes.length === 0) return [];
  return ["", title, ...changes.map((change) => `  ${describeChange(change)}${suffixOf(change)}`)];
}

/** `+ added member X.m: optional string` */
export function describeChange({ change, what, name, detail }: SchemaChange): string {
  return `${signs[change]} ${change} ${what} ${name}${detail === "" ? "" : `: ${detail}`}`;
}

function suffixOf({ breaks, methods }: SchemaChange): string {
  const broken = parties.filter((party) => breaks[party]);
  if (broken.length === 0) return "";
  const more = methods.length - named;
  const names = [...methods.slice(0, named), ...(more > 0 ? [`${more} more`] : [])].join(", ");
  return ` [breaks ${broken.join(", ")}${names === "" ? "" : `; in ${names}`}]`;
}
