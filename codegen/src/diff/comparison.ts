import { isPlainObject } from "../model/schema-document.ts";
import { type Alternative, alternativesOf, type Definitions, ownReferences } from "./alternatives.ts";
import { isExclusive } from "./describe.ts";
import { hasType, sameJson } from "./json-values.ts";
import { isWithin, takesLimits } from "./limits.ts";

/**
 * What to compare schemas as.
 *
 * - `wire`: the values that validation accepts.
 * - `reading`: the generated types, for a program that reads a value of the inner type as one of the outer.
 * - `writing`: the same, for a program that writes the members of the inner type where the outer one is expected.
 */
export type View = "wire" | "reading" | "writing";

/**
 * Compares the values of schemas from two versions of a document.
 *
 * References of the same name count as equal: what changed in their definition is reported there.
 */
export class Comparison {
  readonly #outer: Definitions;
  readonly #inner: Definitions;
  readonly #view: View;
  /** Pairs that are being compared: a recursive schema meets itself again. */
  readonly #open = new Set<string>();

  constructor(outer: Definitions, inner: Definitions, view: View) {
    this.#outer = outer;
    this.#inner = inner;
    this.#view = view;
  }

  /** Whether every value of `inner` is one of `outer` as well. `false` where that cannot be shown. */
  takes(outer: unknown, inner: unknown): boolean {
    if (outer === true || inner === false) return true;
    const pair = JSON.stringify([outer, inner]);
    if (this.#open.has(pair)) return true;
    this.#open.add(pair);
    try {
      return this.#takesAny(outer, inner);
    } finally {
      this.#open.delete(pair);
    }
  }

  #takesAny(outer: unknown, inner: unknown): boolean {
    const known = ownReferences(outer);
    const shared = new Set([...ownReferences(inner)].filter((reference) => known.has(reference)));
    const taking = alternativesOf(outer, this.#outer, shared);
    const taken = alternativesOf(inner, this.#inner, shared);
    if (taking === undefined || taken === undefined) return sameJson(outer, inner);
    if (this.#view === "wire" && isPlainObject(outer) && isExclusive(outer) && overlap(taking)) {
      // A value may fit a second branch, and so be refused, unless it already had to fit exactly one.
      if (!isPlainObject(inner) || !isExclusive(inner) || taken.length !== taking.length) return false;
    }
    return taken.every((value) => taking.some((candidate) => this.#fits(candidate, value)));
  }

  /** Whether every value of one alternative fits another. */
  #fits(outer: Alternative, inner: Alternative): boolean {
    if ([...outer.references].some((reference) => !inner.references.has(reference))) return false;
    if (outer.constant !== undefined) {
      return inner.constant !== undefined && sameJson(outer.constant, inner.constant);
    }
    if (inner.constant !== undefined) return this.#takesConstant(outer, inner.constant.value);
    return (
      this.#takesType(outer, inner) &&
      this.#takesExclusions(outer, inner) &&
      (this.#view !== "wire" || takesLimits(outer, inner)) &&
      this.#takesMembers(outer, inner) &&
      this.#takesItems(outer, inner)
    );
  }

  #takesConstant(outer: Alternative, value: unknown): boolean {
    if (outer.type !== undefined && !hasType(value, outer.type)) return false;
    if (outer.members.size + outer.required.size + outer.items.length + outer.exclusions.length > 0) return false;
    return (
      this.#view !== "wire" ||
      [...outer.limits].every(([name, limits]) => limits.every((to) => isWithin(name, to, value)))
    );
  }

  #takesType(outer: Alternative, inner: Alternative): boolean {
    if (outer.type === undefined || outer.type === inner.type) return true;
    if (outer.type === "number" && inner.type === "integer") return true;
    return this.#view !== "wire" && outer.type === "integer" && inner.type === "number";
  }

  /** An open union has a branch for what no other branch takes; its type is one of its own. */
  #takesExclusions(outer: Alternative, inner: Alternative): boolean {
    if (this.#view !== "wire") return outer.exclusions.length > 0 === inner.exclusions.length > 0;
    if (outer.exclusions.length === 0 || inner.exclusions.length > 0) return true;
    return outer.exclusions.every((excluded) => isTold(excluded, inner));
  }

  #takesMembers(outer: Alternative, inner: Alternative): boolean {
    if ([...outer.required].some((name) => !inner.required.has(name))) return false;
    for (const name of new Set([...outer.members.keys(), ...inner.members.keys()])) {
      const taking = outer.members.get(name) ?? this.#unnamed(outer);
      const taken = inner.members.get(name) ?? inner.others.filter(isPlainObject);
      // A writer sends what its schema names.
      if (taken.length === 0 && !inner.members.has(name)) continue;
      if (!taking.every((schema) => this.takes(schema, allOf(taken)))) return false;
    }
    return this.#takesOthers(outer, inner);
  }

  /** What a member without a name has to be. Types have the members that they name, and no others. */
  #unnamed(alternative: Alternative): readonly unknown[] {
    const isClosedType =
      this.#view === "writing" && alternative.members.size > 0 && !alternative.others.some(isPlainObject);
    return isClosedType
      ? [false]
      : this.#view === "reading"
        ? alternative.others.filter(isPlainObject)
        : alternative.others;
  }

  #takesOthers(outer: Alternative, inner: Alternative): boolean {
    if (inner.type !== undefined && inner.type !== "object") return true;
    const restricts = (schema: unknown): boolean =>
      schema === false ? this.#view === "wire" || outer.members.size === 0 : isPlainObject(schema);
    const taken = inner.others.length === 0 ? true : allOf(inner.others);
    return outer.others.filter(restricts).every((schema) => this.takes(schema, taken));
  }

  #takesItems(outer: Alternative, inner: Alternative): boolean {
    if (inner.type !== undefined && inner.type !== "array") return true;
    const at = ({ firstItems, items }: Alternative, index: number): unknown => firstItems[index] ?? allOf(items);
    const count = Math.max(outer.firstItems.length, inner.firstItems.length) + 1;
    return Array.from({ length: count }, (_, index) => index).every((index) =>
      this.takes(at(outer, index), at(inner, index)),
    );
  }
}

/** A schema that says what all of these say. */
function allOf(schemas: readonly unknown[]): unknown {
  return schemas.length === 1 ? schemas[0] : { allOf: schemas };
}

/** Whether an alternative has a tag that an exclusion does not name. */
function isTold(excluded: unknown, alternative: Alternative): boolean {
  if (!isPlainObject(excluded)) return false;
  const parts: readonly unknown[] = Array.isArray(excluded["anyOf"]) ? excluded["anyOf"] : [excluded];
  return parts.every((part) => {
    const properties = isPlainObject(part) && isPlainObject(part["properties"]) ? part["properties"] : {};
    return Object.entries(properties).some(([name, schema]) => {
      const constants = (alternative.members.get(name) ?? []).filter(isConstant);
      return isConstant(schema) && constants.some((own) => own.const !== schema.const);
    });
  });
}

function isConstant(schema: unknown): schema is { readonly const: unknown } {
  return isPlainObject(schema) && schema["const"] !== undefined;
}

/** Whether a value may fit two of these alternatives. */
function overlap(alternatives: readonly Alternative[]): boolean {
  return alternatives.some((one, index) => alternatives.slice(index + 1).some((other) => !areApart(one, other)));
}

function areApart(one: Alternative, other: Alternative): boolean {
  if (one.constant !== undefined && other.constant !== undefined) return !sameJson(one.constant, other.constant);
  if (one.type === undefined || other.type === undefined) return false;
  const isNumber = [one, other].every(({ type }) => type === "integer" || type === "number");
  if (one.type !== other.type && !isNumber) return true;
  return [...one.members].some(([name, schemas]) => {
    const constants = (list: readonly unknown[]): readonly unknown[] => list.filter(isConstant).map((own) => own.const);
    const [left, right] = [constants(schemas), constants(other.members.get(name) ?? [])];
    return (
      one.required.has(name) && other.required.has(name) && left.length > 0 && right.length > 0 && left[0] !== right[0]
    );
  });
}
