import type { SchemaDocument } from "../model/schema-document.ts";
import { type Fact, factsOf } from "./facts.ts";

/** One difference between two schemas. */
export interface SchemaChange {
  readonly change: "added" | "removed" | "changed";
  readonly what: Fact["what"];
  readonly name: string;
  /** What it says now; for changes what it said before, too. */
  readonly detail: string;
  /** Whether a peer or a program that goes by the old schema can fail because of it. */
  readonly breaking: boolean;
}

/**
 * Compares two versions of a schema: methods, definitions, members, variants and enum values.
 *
 * Breaking is what is removed or says something else, a required member that is new, and a variant or value that is
 * new in a closed union. Changed defaults, titles and reading hints are not. The members of a definition that is
 * itself new or gone are not listed.
 */
export function diffDocuments(before: SchemaDocument, after: SchemaDocument): readonly SchemaChange[] {
  const old = factsOf(before);
  const now = factsOf(after);
  const changes: SchemaChange[] = [];
  for (const [key, fact] of now) {
    const previous = old.get(key);
    if (previous === undefined) {
      if (!isPartOf(fact, old)) continue;
      changes.push({
        change: "added",
        what: fact.what,
        name: fact.name,
        detail: fact.says,
        breaking: fact.addingBreaks,
      });
    } else if (previous.says !== fact.says) {
      changes.push({
        ...named(fact),
        change: "changed",
        detail: `${previous.says || "-"} -> ${fact.says || "-"}`,
        breaking: true,
      });
    } else if (previous.hints !== fact.hints) {
      const detail = `${previous.hints || "no hints"} -> ${fact.hints || "no hints"}`;
      changes.push({ ...named(fact), change: "changed", detail, breaking: false });
    }
  }
  for (const [key, fact] of old) {
    if (now.has(key) || !isPartOf(fact, now)) continue;
    changes.push({ ...named(fact), change: "removed", detail: fact.says, breaking: true });
  }
  return changes;
}

function named(fact: Fact): Pick<Fact, "what" | "name"> {
  return { what: fact.what, name: fact.name };
}

/** Whether what a fact is part of is among `facts`: else the change of that says it all. */
function isPartOf(fact: Fact, facts: ReadonlyMap<string, Fact>): boolean {
  return fact.owner === undefined || facts.has(fact.owner);
}

const signs = { added: "+", removed: "-", changed: "~" } as const;

/** The changes as text for people: what breaks first. */
export function formatChanges(changes: readonly SchemaChange[]): string {
  if (changes.length === 0) return "No changes.\n";
  const count = (change: SchemaChange["change"]): number => changes.filter((entry) => entry.change === change).length;
  const breaking = changes.filter((change) => change.breaking);
  const compatible = changes.filter((change) => !change.breaking);
  const summary = `${count("added")} added, ${count("removed")} removed, ${count("changed")} changed; ${breaking.length} breaking.`;
  return [summary, ...section("Breaking", breaking), ...section("Compatible", compatible), ""].join("\n");
}

function section(title: string, changes: readonly SchemaChange[]): readonly string[] {
  if (changes.length === 0) return [];
  const lines = changes.map(({ change, what, name, detail }) => {
    const more = detail === "" ? "" : `: ${detail}`;
    return `  ${signs[change]} ${change} ${what} ${name}${more}`;
  });
  return ["", title, ...lines];
}
