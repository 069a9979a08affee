import { Place } from "./place.ts";
import type { SchemaError } from "./schema-document.ts";

/** What generated modules export, import or refer to themselves: a definition of the name would take its place. */
const taken: readonly string[] = [
  "AgentMethods",
  "ClientMethods",
  "ProtocolMethods",
  "ProxyMethods",
  "Received",
  "Record",
  "UnknownVariant",
];

/**
 * Refuses names that the generated modules cannot keep: a definition `X` becomes the type `X`, the decoder `decodeX`
 * and the heading `X` of the reference.
 *
 * @throws SchemaError naming the definition, the reason and what to do.
 */
export function checkNames(names: readonly string[]): void {
  const seen = new Map<string, string>();
  for (const name of names) {
    if (!/^[A-Z]\w*$/.test(name)) {
      throw refused(name, "a name is a capital, then letters, digits and `_`");
    }
    // The type generator writes such a letter as a capital, wherever references have it.
    const small = /[\d_][a-z]/.exec(name)?.[0];
    if (small !== undefined)
      throw refused(name, `the type would be called otherwise: a letter behind \`${small[0]}\` has to be a capital`);
    if (taken.includes(name)) throw refused(name, `generated modules have ${name} themselves`);
    const twin = seen.get(name.toLowerCase());
    if (twin !== undefined) throw refused(name, `it differs from ${twin} in case only`);
    seen.set(name.toLowerCase(), name);
  }
}

function refused(name: string, reason: string): SchemaError {
  return new Place(name).unsupported(`${reason}; rename the definition, and what refers to it`);
}
