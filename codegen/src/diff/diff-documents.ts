import type { SchemaDocument } from "../model/schema-document.ts";
import { BreakFinder, type Breaks } from "./breaks.ts";
import { type ChangePlace, definitionsOf, type Fact, factsOf } from "./facts.ts";
import { methodsOfTypes } from "./methods-of-types.ts";

/** One difference between two schemas. */
export interface SchemaChange {
  readonly change: "added" | "removed" | "changed";
  readonly what: Fact["what"];
  readonly name: string;
  /** What it says now; for changes what it said before, too. */
  readonly detail: string;
  /** The type that changed, and which part of it. */
  readonly place: ChangePlace;
  /** The methods that have the type in their params or result, before or after. */
  readonly methods: readonly string[];
  readonly breaks: Breaks;
  /** Whether it breaks anybody. */
  readonly breaking: boolean;
}

/** What {@link diffDocuments} has to know beside the schemas. */
export interface DiffOptions {
  /** Unions that the schema closes and the rules open: readers keep variants of an unknown kind. */
  readonly openUnions?: readonly string[];
}

/**
 * Compares two versions of a schema: methods, definitions, members, variants and enum values.
 *
 * Each change says whom it breaks: readers and writers of messages that go by the old schema, and TypeScript that uses
 * the types of the old schema. Changed defaults, titles and reading hints break nobody. The members of a definition
 * that is itself new or gone are not listed.
 */
export function diffDocuments(
  before: SchemaDocument,
  after: SchemaDocument,
  options: DiffOptions = {},
): readonly SchemaChange[] {
  const old = factsOf(before);
  const now = factsOf(after);
  const finder = new BreakFinder(definitionsOf(before), definitionsOf(after), new Set(options.openUnions));
  const methods = [methodsOfTypes(before), methodsOfTypes(after)];
  const changes: SchemaChange[] = [];
  const report = (change: SchemaChange["change"], fact: Fact, detail: string, breaks: Breaks): void => {
    const { what, name, place } = fact;
    const carriers = what === "method" ? [] : methods.flatMap((types) => [...(types.get(place.type) ?? [])]);
    const breaking = breaks.readers || breaks.writers || breaks.sources;
    changes.push({ change, what, name, detail, place, methods: [...new Set(carriers)], breaks, breaking });
  };
  for (const [key, fact] of now) {
    const previous = old.get(key);
    if (previous === undefined) {
      if (isPartOf(fact, old)) report("added", fact, fact.says, finder.ofAdded(fact, ownerOf(fact, old)));
    } else if (previous.says !== fact.says) {
      const detail = `${previous.says || "-"} -> ${fact.says || "-"}`;
      report("changed", fact, detail, finder.ofChanged(previous, fact));
    } else if (previous.hints !== fact.hints) {
      const detail = `${previous.hints || "no hints"} -> ${fact.hints || "no hints"}`;
      report("changed", fact, detail, { readers: false, writers: false, sources: false });
    }
  }
  for (const [key, fact] of old) {
    if (now.has(key) || !isPartOf(fact, now)) continue;
    report("removed", fact, fact.says, finder.ofRemoved(fact, ownerOf(fact, now)));
  }
  return changes;
}

function ownerOf({ owner }: Fact, facts: ReadonlyMap<string, Fact>): Fact | undefined {
  return owner === undefined ? undefined : facts.get(owner);
}

/** Whether what a fact is part of is among `facts`: else the change of that says it all. */
function isPartOf(fact: Fact, facts: ReadonlyMap<string, Fact>): boolean {
  return fact.owner === undefined || facts.has(fact.owner);
}
