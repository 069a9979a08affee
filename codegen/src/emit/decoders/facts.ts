import type {
  AlternativesShape,
  Branch,
  ObjectShape,
  ProtocolModel,
  Shape,
  TaggedUnion,
} from "../../model/protocol-model.ts";
import { sameValue } from "../../model/read-model.ts";
import { resolve } from "./scalar-check.ts";

/** The branches of an object's tagged union; none when it has no such union. */
function branchesOf(shape: ObjectShape): readonly Branch[] {
  if (shape.union?.kind !== "tagged") return [];
  const { variants, fallback, other } = shape.union;
  return [...variants, fallback, other].filter((branch) => branch !== undefined);
}

/** Whether decoding a value of this shape can turn that very value into an unknown variant. */
export function canBeUnknown(shape: Shape, model: ProtocolModel, definition?: string): boolean {
  if (shape.kind === "object" && shape.union?.kind === "tagged") {
    if (shape.union.other !== undefined) return true;
    if (definition !== undefined && model.openUnions.includes(definition)) return true;
    if (branchesOf(shape).some((branch) => canBeUnknown(branch.shape, model))) return true;
  }
  if (shape.kind === "object" && shape.union?.kind === "alternatives" && canBeUnknown(shape.union, model)) return true;
  return [...sameValue(shape)].some((name) => canBeUnknown(model.definitions.get(name)!.shape, model, name));
}

/**
 * Whether the branch without a tag reads variants that the schema does not know, if a receiver keeps them: by the letter
 * of the schema they are of that branch, and have its members.
 */
export function readsUnknown({ fallback, other }: TaggedUnion): boolean {
  return fallback !== undefined && other === undefined;
}

/** The members an object has whatever its variant: its own and the included ones. */
export function commonMembers(shape: ObjectShape, model: ProtocolModel): readonly string[] {
  const included = shape.includes.flatMap((name) => {
    const target = model.definitions.get(name)!.shape;
    return target.kind === "object" ? commonMembers(target, model) : [];
  });
  return [...shape.members.map((member) => member.name), ...included];
}

/** The one kind of value that all branches ask for; a value of another kind is refused before any is tried. */
export function commonKind(shape: AlternativesShape, model: ProtocolModel): "object" | "array" | undefined {
  const kinds = shape.branches.map((branch) => resolve(branch.shape, model).kind);
  if (kinds.every((kind) => kind === "object" || kind === "map")) return "object";
  return kinds.every((kind) => kind === "array") ? "array" : undefined;
}
