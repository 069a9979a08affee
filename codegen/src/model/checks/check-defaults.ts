import { accepts } from "../accepts.ts";
import type { Findings } from "../findings.ts";
import { Place } from "../place.ts";
import type { Definition } from "../protocol-model.ts";
import { shapesWithin } from "../walk.ts";

/**
 * Refuses defaults that their members do not take, where a receiver would hand out a value that the types rule out. Only
 * warns of those that nobody hands out, unless in strict mode.
 */
export function checkDefaults(definitions: ReadonlyMap<string, Definition>, findings: Findings): void {
  for (const definition of definitions.values()) {
    const root = new Place(definition.name, "", { definitions: {}, findings });
    for (const { shape, place } of shapesWithin(definition.shape, root)) {
      const members = shape.kind === "object" ? shape.members : [];
      for (const { name, shape: wanted, default: value, nullable, defaultOnError } of members) {
        const isTaken = value === undefined || (value === null && nullable) || accepts(wanted, value, definitions);
        if (isTaken) continue;
        findings.problems.collect(() => {
          const at = place.at("properties", name);
          const what = `the default ${JSON.stringify(value)} is not a value of the member; correct or delete it`;
          if (defaultOnError) throw at.unsupported(what);
          at.tolerate(what);
        });
      }
    }
  }
}
