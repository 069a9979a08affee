import { accepts } from "./accepts.ts";
import { Place } from "./place.ts";
import type { Definition, Shape } from "./protocol-model.ts";
import { parts } from "./walk.ts";

/**
 * Refuses defaults that their members do not take: a receiver would hand out a value that the types rule out.
 *
 * @throws SchemaError naming the definition and the member.
 */
export function checkDefaults(definitions: ReadonlyMap<string, Definition>): void {
  for (const { name, shape } of definitions.values()) checkWithin(shape, new Place(name), definitions);
}

function checkWithin(shape: Shape, place: Place, definitions: ReadonlyMap<string, Definition>): void {
  if (shape.kind !== "object") {
    for (const part of parts(shape)) checkWithin(part, place, definitions);
    return;
  }
  for (const member of shape.members) {
    const at = place.at("properties", member.name);
    const { default: value } = member;
    const isTaken = value === undefined || (value === null && member.nullable);
    if (!isTaken && !accepts(member.shape, value, definitions)) {
      throw at.unsupported(`the default ${JSON.stringify(value)} is not a value of the member`);
    }
    checkWithin(member.shape, at, definitions);
  }
  for (const part of parts({ ...shape, members: [] })) checkWithin(part, place, definitions);
}
