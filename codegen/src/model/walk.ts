import type { Place } from "./place.ts";
import type { Shape } from "./protocol-model.ts";

/** The shapes directly inside a shape: items, members, branches. Included definitions are names, not shapes. */
export function parts(shape: Shape): readonly Shape[] {
  switch (shape.kind) {
    case "nullable":
      return [shape.shape];
    case "array":
      return [shape.items];
    case "tuple":
      return [...shape.items, shape.rest];
    case "intersection":
      return shape.parts;
    case "map":
      return [shape.values];
    case "alternatives":
      return shape.branches.map((branch) => branch.shape);
    case "object": {
      const { union } = shape;
      const members = shape.members.map((member) => member.shape);
      if (shape.others !== undefined) members.push(shape.others);
      if (union === undefined) return members;
      if (union.kind === "alternatives") return [...members, union];
      const branches = [...union.variants, union.fallback, union.other].filter((branch) => branch !== undefined);
      return [...members, ...branches.map((branch) => branch.shape)];
    }
    default:
      return [];
  }
}

/** A shape and every shape inside it, with the place: that of the member it is part of. */
export function* shapesWithin(shape: Shape, place: Place): Iterable<{ readonly shape: Shape; readonly place: Place }> {
  yield { shape, place };
  if (shape.kind !== "object") {
    for (const part of parts(shape)) yield* shapesWithin(part, place);
    return;
  }
  for (const member of shape.members) yield* shapesWithin(member.shape, place.at("properties", member.name));
  for (const part of parts({ ...shape, members: [] })) yield* shapesWithin(part, place);
}
