import type { Definition, ObjectShape, Shape, TaggedUnion } from "./protocol-model.ts";
import { isPlainObject } from "./schema-document.ts";

type Definitions = ReadonlyMap<string, Definition>;

/** Whether a shape takes a value without the help of its tolerance hints. */
export function accepts(shape: Shape, value: unknown, definitions: Definitions): boolean {
  const inner = (part: Shape, held: unknown): boolean => accepts(part, held, definitions);
  switch (shape.kind) {
    case "any":
      return true;
    case "string":
      return typeof value === "string" && Array.from(value).length >= (shape.minLength ?? 0);
    case "integer":
    case "number": {
      const { kind, minimum = -Infinity, maximum = Infinity } = shape;
      const isNumber = kind === "integer" ? Number.isInteger(value) : Number.isFinite(value);
      return isNumber && Number(value) >= minimum && Number(value) <= maximum;
    }
    case "boolean":
      return typeof value === "boolean";
    case "null":
      return value === null;
    case "constant":
      return value === shape.value;
    case "enumeration":
      return (
        shape.values.some((known) => known.value === value) || (shape.open !== undefined && inner(shape.open, value))
      );
    case "array":
      return (
        Array.isArray(value) && value.length >= (shape.minItems ?? 0) && value.every((item) => inner(shape.items, item))
      );
    case "tuple":
      return (
        Array.isArray(value) &&
        value.length >= shape.minItems &&
        value.every((item, index) => inner(shape.items[index] ?? shape.rest, item))
      );
    case "never":
      return false;
    case "intersection":
      return shape.parts.every((part) => inner(part, value));
    case "map":
      return isPlainObject(value) && Object.values(value).every((item) => inner(shape.values, item));
    case "reference": {
      const target = definitions.get(shape.name)?.shape;
      return target !== undefined && inner(target, value);
    }
    case "nullable":
      return value === null || inner(shape.shape, value);
    case "alternatives":
      return shape.branches.some((branch) => inner(branch.shape, value));
    default:
      return isPlainObject(value) && acceptsObject(shape, value, definitions);
  }
}

function acceptsObject(
  shape: ObjectShape,
  value: Readonly<Record<string, unknown>>,
  definitions: Definitions,
): boolean {
  const { members, includes, union } = shape;
  const takesMembers = members.every((member) => {
    if (!Object.hasOwn(value, member.name)) return !member.required;
    const held = value[member.name];
    return (held === null && member.nullable) || accepts(member.shape, held, definitions);
  });
  if (!takesMembers || !includes.every((name) => accepts({ kind: "reference", name }, value, definitions)))
    return false;
  const isNamed = (name: string): boolean => name === shape.tag || members.some((member) => member.name === name);
  const { others } = shape;
  const takesOthers =
    others === undefined ||
    Object.entries(value).every(([name, held]) => isNamed(name) || accepts(others, held, definitions));
  if (!takesOthers) return false;
  if (union === undefined) return true;
  const branch = union.kind === "tagged" ? branchOf(union, value) : union;
  return branch !== undefined && accepts(branch, value, definitions);
}

function branchOf(union: TaggedUnion, value: Readonly<Record<string, unknown>>): Shape | undefined {
  const tag = value[union.tag];
  if (tag === undefined || tag === null) return union.fallback?.shape;
  return (union.variants.find((variant) => variant.value === tag) ?? union.other)?.shape;
}
