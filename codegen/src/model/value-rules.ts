import type {
  ObjectShape,
  ProtocolModel,
  Shape,
  ValueKind,
  ValueList,
  ValueTree,
  ValueVariants,
} from "./protocol-model.ts";
import { SchemaError } from "./schema-document.ts";

/** The kind of each member that has one, by `Definition.member`. */
export type ValuePlaces = ReadonlyMap<string, ValueKind>;

/** Where values of some kind stand in the messages of `definition`; `undefined` where there are none. */
export function valueTree(model: ProtocolModel, definition: string, places: ValuePlaces): ValueTree | undefined {
  return new TreeReader(model, places).definition(definition);
}

/**
 * Which variants of a union hold all values of some kind in the messages of `definition`, so that the others need not
 * be looked through; `undefined` where values stand elsewhere, too.
 */
export function valueVariants(
  model: ProtocolModel,
  definition: string,
  places: ValuePlaces,
): ValueVariants | undefined {
  const tree = valueTree(model, definition, places);
  const [member, ...others] = typeof tree === "object" ? Object.keys(tree) : [];
  const shape = model.definitions.get(definition)?.shape;
  const held = shape?.kind === "object" ? shape.members.find(({ name }) => name === member)?.shape : undefined;
  const target = held?.kind === "reference" ? model.definitions.get(held.name) : undefined;
  if (member === undefined || others.length > 0 || target?.shape.kind !== "object") return undefined;
  const { includes, members, union } = target.shape;
  const reader = new TreeReader(model, places);
  const isElsewhere = includes.some((name) => reader.definition(name) !== undefined);
  if (union?.kind !== "tagged" || isElsewhere || members.some(({ name }) => places.has(`${target.name}.${name}`))) {
    return undefined;
  }
  const variants = union.variants.filter(({ shape: branch }) => reader.object(branch, target.name) !== undefined);
  return { member, tag: union.tag, variants: variants.map(({ value }) => value) };
}

class TreeReader {
  readonly #model: ProtocolModel;
  readonly #places: ValuePlaces;
  /** What is being read: a definition inside itself adds nothing. */
  readonly #open = new Set<string>();

  constructor(model: ProtocolModel, places: ValuePlaces) {
    this.#model = model;
    this.#places = places;
  }

  definition(name: string): ValueTree | undefined {
    const shape = this.#model.definitions.get(name)?.shape;
    if (shape === undefined || this.#open.has(name)) return undefined;
    this.#open.add(name);
    const tree = this.#shape(shape, name);
    this.#open.delete(name);
    return tree;
  }

  #shape(shape: Shape, owner?: string): ValueTree | undefined {
    switch (shape.kind) {
      case "reference":
        return this.definition(shape.name);
      case "nullable":
        return this.#shape(shape.shape, owner);
      case "array":
        return listOf(this.#shape(shape.items));
      case "alternatives":
        return mergeAll(shape.branches.map((branch) => this.#shape(branch.shape, owner)));
      case "object":
        return this.object(shape, owner);
      default:
        return undefined;
    }
  }

  object(shape: ObjectShape, owner: string | undefined): ValueTree | undefined {
    const trees = shape.includes.map((name) => this.definition(name));
    for (const { name, shape: member } of shape.members) {
      const kind = owner === undefined ? undefined : this.#places.get(`${owner}.${name}`);
      const tree = kind === undefined ? this.#shape(member) : member.kind === "array" ? listOf(kind) : kind;
      if (tree !== undefined) trees.push({ [name]: tree });
    }
    const { union } = shape;
    if (union?.kind === "alternatives") trees.push(this.#shape(union, owner));
    if (union?.kind === "tagged") {
      const branches = [...union.variants, union.other, union.fallback];
      trees.push(...branches.map((branch) => branch && this.object(branch.shape, owner)));
    }
    return mergeAll(trees);
  }
}

function listOf(tree: ValueTree | undefined): ValueTree | undefined {
  return tree === undefined ? undefined : [tree];
}

function mergeAll(trees: readonly (ValueTree | undefined)[]): ValueTree | undefined {
  return trees.reduce<ValueTree | undefined>((all, tree) => (tree === undefined ? all : merge(all, tree)), undefined);
}

function merge(left: ValueTree | undefined, right: ValueTree): ValueTree {
  if (left === undefined || left === right) return right;
  if (typeof left === "string" || typeof right === "string") {
    throw new SchemaError("values: two variants want different things of one member");
  }
  if (isList(left)) return isList(right) ? mergeLists(left, right) : mergeLists(left, [left[0], right]);
  if (isList(right)) return mergeLists([right[0], left], right);
  const merged = new Map(Object.entries(left));
  for (const [name, tree] of Object.entries(right)) merged.set(name, merge(merged.get(name), tree));
  // In one order, so that methods with the same members have the same tree.
  return Object.fromEntries([...merged].toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

function mergeLists([leftItems, leftSingle]: ValueList, [rightItems, rightSingle]: ValueList): ValueList {
  const items = merge(leftItems, rightItems);
  const single = mergeAll([leftSingle, rightSingle]);
  return single === undefined ? [items] : [items, single];
}

function isList(tree: ValueTree): tree is ValueList {
  return Array.isArray(tree);
}
