import type { Member, ObjectShape, ProtocolModel, Shape, TaggedUnion } from "../model/protocol-model.ts";
import { isPlainObject } from "../model/schema-document.ts";

/**
 * Finds what the definition of a value does not speak of: members, and values where a receiver must expect others.
 *
 * The protocol allows both, so no validator objects to them; in an example they are misspelt. Expects a value that is
 * valid.
 *
 * @returns Paths: `/update/contents`.
 */
export function undescribed(model: ProtocolModel, definition: string, value: unknown): readonly string[] {
  const shape = model.definitions.get(definition)?.shape;
  return shape === undefined ? [] : [...search(shape, value, "", model)];
}

function* search(shape: Shape, value: unknown, path: string, model: ProtocolModel): Generator<string> {
  switch (shape.kind) {
    case "nullable":
      if (value !== null) yield* search(shape.shape, value, path, model);
      return;
    case "reference": {
      const target = model.definitions.get(shape.name)?.shape;
      if (target !== undefined) yield* search(target, value, path, model);
      return;
    }
    case "array":
      if (!Array.isArray(value)) return;
      for (const [index, item] of value.entries()) yield* search(shape.items, item, `${path}/${index}`, model);
      return;
    case "map":
      if (!isPlainObject(value)) return;
      for (const [key, item] of Object.entries(value)) yield* search(shape.values, item, `${path}/${key}`, model);
      return;
    case "alternatives":
      // Which branch is meant is not known; the one that explains most is.
      yield* fewest(shape.branches.map((branch) => [...search(branch.shape, value, path, model)]));
      return;
    case "enumeration":
      if (!shape.values.some((known) => known.value === value)) yield path;
      return;
    case "object":
      if (isPlainObject(value)) yield* searchObject(shape, value, path, model);
      return;
    default:
  }
}

function* searchObject(
  shape: ObjectShape,
  value: Readonly<Record<string, unknown>>,
  path: string,
  model: ProtocolModel,
): Generator<string> {
  const described = new Map(membersOf(shape, value, model));
  for (const [name, inner] of Object.entries(value)) {
    const member = described.get(name);
    if (member === undefined) yield `${path}/${name}`;
    else if (isUnion(member)) yield* isKnown(member, inner) ? [] : [`${path}/${name}`];
    else if (inner !== null) yield* search(member.shape, inner, `${path}/${name}`, model);
  }
}

/** The members that apply to a value: its own, those of included definitions, and those of its branch of the union. */
function* membersOf(
  shape: Shape,
  value: Readonly<Record<string, unknown>>,
  model: ProtocolModel,
): Generator<readonly [name: string, member: Member | TaggedUnion]> {
  if (shape.kind === "reference") {
    const target = model.definitions.get(shape.name)?.shape;
    if (target !== undefined) yield* membersOf(target, value, model);
  }
  if (shape.kind === "alternatives") {
    for (const branch of shape.branches) yield* membersOf(branch.shape, value, model);
  }
  if (shape.kind !== "object") return;
  for (const member of shape.members) yield [member.name, member];
  for (const name of shape.includes) yield* membersOf({ kind: "reference", name }, value, model);
  const { union } = shape;
  if (union?.kind === "alternatives") yield* membersOf(union, value, model);
  if (union?.kind !== "tagged") return;
  yield [union.tag, union];
  const variant = union.variants.find((each) => each.value === value[union.tag]);
  const branch = variant ?? (union.tag in value ? union.other : union.fallback) ?? union.fallback;
  if (branch !== undefined) yield* membersOf(branch.shape, value, model);
}

function isUnion(member: Member | TaggedUnion): member is TaggedUnion {
  return "variants" in member;
}

/** Whether the value of a tag is that of a variant, or names the branch that has none. */
function isKnown({ variants, fallback }: TaggedUnion, tag: unknown): boolean {
  return variants.some(({ value }) => value === tag) || (fallback !== undefined && fallback.value === tag);
}

function fewest(findings: readonly (readonly string[])[]): readonly string[] {
  return findings.reduce((best, next) => (next.length < best.length ? next : best), findings[0] ?? []);
}
