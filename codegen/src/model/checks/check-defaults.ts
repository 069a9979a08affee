import { accepts } from "../accepts.ts";
import { Place } from "../place.ts";
import type { Problems } from "../problems.ts";
import type { Definition } from "../protocol-model.ts";
import { shapesWithin } from "../walk.ts";

/**
 * Refuses defaults that their members do not take: a receiver would hand out a value that the types rule out.
 */
export function checkDefaults(definitions: ReadonlyMap<string, Definition>, problems: Problems): void {
  for (const definition of definitions.values()) {
    for (const { shape, place } of shapesWithin(definition.shape, new Place(definition.name))) {
      const members = shape.kind === "object" ? shape.members : [];
      for (const { name, shape: wanted, default: value, nullable } of members) {
        const isTaken = value === undefined || (value === null && nullable) || accepts(wanted, value, definitions);
        if (isTaken) continue;
        problems.collect(() => {
          const at = place.at("properties", name);
          throw at.unsupported(
            `the default ${JSON.stringify(value)} is not a value of the member; correct or delete it`,
          );
        });
      }
    }
  }
}
