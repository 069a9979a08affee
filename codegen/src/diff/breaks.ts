import { isPlainObject, type JsonSchema } from "../model/schema-document.ts";
import type { Definitions } from "./alternatives.ts";
import { Comparison } from "./comparison.ts";
import { isExclusive, schemasOf } from "./describe.ts";
import { type Fact, payloadOf } from "./facts.ts";

/** Whom a change breaks. Each goes by the old schema, and the rest of the world by the new one. */
export interface Breaks {
  /** A peer that reads messages: it may refuse one that the new schema allows. */
  readonly readers: boolean;
  /** A peer that writes messages: one that the old schema allows may be refused. */
  readonly writers: boolean;
  /** TypeScript that uses the generated types: it may no longer compile. */
  readonly sources: boolean;
}

const nobody: Breaks = { readers: false, writers: false, sources: false };

/** Tells whom the changes between two versions of a document break. What it cannot prove safe, it calls breaking. */
export class BreakFinder {
  readonly #openUnions: ReadonlySet<string>;
  /** Whether old readers take what is written by the new schema, and new readers what is written by the old one. */
  readonly #oldTakes: Comparison;
  readonly #newTakes: Comparison;
  /** Whether old programs read values of the new types, and whether what they write is of the new types. */
  readonly #reading: Comparison;
  readonly #writing: Comparison;

  constructor(before: Definitions, after: Definitions, openUnions: ReadonlySet<string>) {
    this.#openUnions = openUnions;
    this.#oldTakes = new Comparison(before, after, "wire");
    this.#newTakes = new Comparison(after, before, "wire");
    this.#reading = new Comparison(before, after, "reading");
    this.#writing = new Comparison(after, before, "writing");
  }

  /** `previous` is the old union or object that the fact is now part of. */
  ofAdded(fact: Fact, previous: Fact | undefined): Breaks {
    switch (fact.what) {
      case "member": {
        // An object that closes its members refuses what it does not name.
        const others = othersOf(previous?.schema ?? {});
        const readers = others.some((other) => !this.#oldTakes.takes(other, fact.schema));
        return { readers, writers: fact.isRequired, sources: fact.isRequired };
      }
      case "variant":
      case "value": {
        const breaks = this.#ofAddedBranch(fact, previous?.whole ?? {});
        return fact.isRepeated ? { ...breaks, writers: true, sources: true } : breaks;
      }
      default:
        return nobody;
    }
  }

  /** `next` is the new union or object that the fact was part of. */
  ofRemoved(fact: Fact, next: Fact | undefined): Breaks {
    switch (fact.what) {
      case "method":
        return { readers: false, writers: true, sources: true };
      case "member": {
        const others = othersOf(next?.schema ?? {});
        const writers = others.some((other) => !this.#newTakes.takes(other, fact.schema));
        return { readers: fact.isRequired, writers, sources: true };
      }
      case "variant":
      case "value":
        return this.#ofRemovedBranch(fact, next?.whole ?? {});
      default:
        return { ...nobody, sources: true };
    }
  }

  ofChanged(before: Fact, after: Fact): Breaks {
    if (after.what === "member") {
      const inner = this.#compare(before.schema, after.schema);
      const becameRequired = after.isRequired && !before.isRequired;
      const becameOptional = before.isRequired && !after.isRequired;
      return {
        readers: inner.readers || becameOptional,
        writers: inner.writers || becameRequired,
        sources: inner.sources || becameOptional || becameRequired,
      };
    }
    if (after.what === "variant") return this.#compare(payloadOf(before.schema), payloadOf(after.schema));
    // A union that is no longer one, or has just become one, is compared as a whole.
    if (branchesOf(before.whole).length > 0 !== branchesOf(after.whole).length > 0) {
      return this.#compare(before.whole, after.whole);
    }
    const own = this.#compare(ownKeywords(before), ownKeywords(after));
    // Branches are facts of their own; whether only one of them may fit is not.
    return { ...own, writers: own.writers || (isExclusive(after.whole) && !isExclusive(before.whole)) };
  }

  #ofAddedBranch(fact: Fact, previous: JsonSchema): Breaks {
    const old = { anyOf: branchesOf(previous) };
    // Without branches the definition took all that its other keywords take.
    if (old.anyOf.length === 0) return this.#compare(previous, fact.whole);
    const readers = !this.#openUnions.has(fact.place.type) && !this.#oldTakes.takes(old, fact.schema);
    return { readers, writers: false, sources: !this.#reading.takes(old, fact.schema) };
  }

  #ofRemovedBranch(fact: Fact, next: JsonSchema): Breaks {
    const now = { anyOf: branchesOf(next) };
    if (now.anyOf.length === 0) return this.#compare(fact.whole, next);
    const writers = !this.#openUnions.has(fact.place.type) && !this.#newTakes.takes(now, fact.schema);
    return { readers: false, writers, sources: !this.#writing.takes(now, fact.schema) };
  }

  #compare(before: JsonSchema, after: JsonSchema): Breaks {
    return {
      readers: !this.#oldTakes.takes(before, after),
      writers: !this.#newTakes.takes(after, before),
      sources: !this.#reading.takes(before, after) || !this.#writing.takes(after, before),
    };
  }
}

/** What the schema of an object says about members that it does not name. */
function othersOf({ additionalProperties, unevaluatedProperties }: JsonSchema): readonly unknown[] {
  return [additionalProperties, unevaluatedProperties].filter((other) => other !== undefined);
}

function branchesOf({ anyOf, oneOf }: JsonSchema): readonly JsonSchema[] {
  return schemasOf(anyOf ?? oneOf);
}

/** What a definition says apart from its members and branches. Types close what has members, whatever the schema says. */
function ownKeywords({ schema, whole }: Fact): JsonSchema {
  return isPlainObject(whole.properties) ? { ...schema, properties: { "": {} } } : schema;
}
