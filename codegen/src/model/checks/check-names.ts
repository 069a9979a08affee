import { Place } from "../place.ts";
import type { Problems } from "../problems.ts";

/** Refuses names that differ in case only: a definition `X` becomes the heading `X` of the reference. */
export function checkNames(names: readonly string[], problems: Problems): void {
  const seen = new Map<string, string>();
  for (const name of names) {
    const twin = seen.get(name.toLowerCase());
    if (twin !== undefined) {
      problems.collect(() => {
        throw new Place(name).unsupported(
          `it differs from ${twin} in case only; rename the definition, and what refers to it`,
        );
      });
    }
    seen.set(name.toLowerCase(), name);
  }
}
