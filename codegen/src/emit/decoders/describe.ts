import type { Member, ObjectShape, Shape, TaggedUnion } from "../../model/protocol-model.ts";
import { literal, pascalCase, propertyKey, pure } from "../code.ts";
import type { DecoderModule } from "./decoder-module.ts";
import { canBeUnknown } from "./facts.ts";
import { fallbackOf, isTriedInTurn } from "./member-lines.ts";
import { resolve } from "./scalar-check.ts";
import { isNothingBut, payloadOf } from "./union-lines.ts";

/** A decoder as an expression, for definitions that are not read often. An object's members are apart, to be shared. */
export interface Description {
  readonly expression: string;
  /** The members of a `record`, by name. */
  readonly members?: ReadonlyMap<string, string>;
}

/** The description of a shape; `undefined` for what has to be written out. */
export function describe(
  shape: Shape,
  module: DecoderModule,
  hint: string,
  definition?: string,
): Description | undefined {
  switch (shape.kind) {
    case "any":
    case "alternatives":
      return module.check(shape) === undefined ? undefined : { expression: module.describedOf(shape, hint) };
    case "enumeration":
      if (shape.open !== undefined) return { expression: module.describedOf(shape, hint) };
      return { expression: pure(module.use("choice"), literal(shape.values.map(({ value }) => value))) };
    case "object":
      return describeObject(shape, module, hint, definition);
    case "tuple":
    case "intersection":
      return undefined;
    default:
      return { expression: module.describedOf(shape, hint) };
  }
}

function describeObject(
  shape: ObjectShape,
  module: DecoderModule,
  hint: string,
  definition: string | undefined,
): Description | undefined {
  const hasOthers = shape.others !== undefined && shape.others.kind !== "any";
  if (shape.includes.length > 0 || hasOthers || !areOrdinary(shape)) return undefined;
  if (shape.union !== undefined) {
    if (shape.union.kind !== "tagged") return undefined;
    if (definition !== undefined && module.model.openUnions.includes(definition)) return undefined;
    return describeUnion(shape, shape.union, module, hint);
  }
  const members = new Map<string, string>();
  for (const member of shape.members) {
    const reader = memberReader(member, module, hint);
    if (reader !== undefined) members.set(member.name, reader);
  }
  return { expression: module.use("record"), members };
}

/** Names that objects inherit have to be read with care, and members that look like numbers do not keep their order. */
function areOrdinary({ members, union }: ObjectShape): boolean {
  const names = members.map(({ name }) => name);
  if (union?.kind === "tagged") names.push(union.tag);
  return !names.some((name) => name in {} || /^\d+$/.test(name));
}

/** How one member is read; `undefined` if there is nothing to say about it. */
function memberReader(member: Member, module: DecoderModule, hint: string): string | undefined {
  const { shape, required, nullable, defaultOnError, defaultOnNull } = member;
  if (resolve(shape, module.model).kind === "any") return required ? module.use("anything") : undefined;
  const place = hint + pascalCase(member.name);
  const decoder = module.describedOf(shape, place, member.skipInvalidItems);
  const call = (name: string, ...args: readonly string[]): string => pure(module.use(name), ...args);
  const fallback = defaultOnError ? fallbackOf(member, module) : undefined;
  const args = fallback === undefined ? [decoder] : [decoder, module.makerOf(fallback, place)];
  const isNullish = nullable && !required;
  if (isNullish && !defaultOnNull) return call(defaultOnError ? "lenient" : "optional", ...args);
  let reader = call(defaultOnError ? "tolerated" : "required", ...args);
  if (!required) reader = call(nullable ? "unlessNullish" : "unlessAbsent", reader);
  else if (nullable) reader = call("unlessNull", reader);
  if (required && (defaultOnError || isTriedInTurn(shape, module))) reader = call("unlessMissing", reader);
  if (defaultOnNull) reader = call("nullAs", module.makerOf(shape.kind === "array" ? [] : {}, place), reader);
  return reader;
}

/** A union none of whose variants can turn out to be unknown. */
function describeUnion(
  shape: ObjectShape,
  union: TaggedUnion,
  module: DecoderModule,
  hint: string,
): Description | undefined {
  const { variants, fallback, other } = union;
  const hasMembers = shape.members.length > 0;
  if (other !== undefined && !isNothingBut(other)) return undefined;
  const branches = [...variants, ...(fallback === undefined ? [] : [fallback])];
  if (branches.some((branch) => canBeUnknown(branch.shape, module.model))) return undefined;
  const decoders = branches.map((branch) => {
    if (isNothingBut(branch)) return module.use("readAny");
    const payload = payloadOf(branch);
    const read: Shape = payload === undefined ? branch.shape : { kind: "reference", name: payload };
    return module.describedOf(read, hint + pascalCase(branch.value ?? branch.title ?? "Untagged"));
  });
  const byTag = variants.map(({ value }, index) => `${propertyKey(value)}: ${decoders[index]}`);
  const untagged = fallback === undefined ? [] : decoders.slice(-1);
  // In a closed union a peer may write the title of the branch without a tag.
  if (typeof fallback?.value === "string") byTag.push(`${propertyKey(fallback.value)}: ${untagged[0]}`);
  const read = module.use(other === undefined ? "closedUnion" : "openUnion");
  const args = [literal(union.tag), `{ ${byTag.join(", ")} }`, ...untagged];
  if (!hasMembers) return { expression: pure(read, ...args) };
  const beside = module.describedOf({ kind: "object", members: shape.members, includes: [] }, `${hint}Members`);
  const keys = other === undefined ? [] : [literal(shape.members.map(({ name }) => name))];
  return { expression: pure(read, ...args, ...(untagged.length === 0 ? ["undefined"] : []), beside, ...keys) };
}
