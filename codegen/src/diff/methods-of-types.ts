import { isPlainObject, type JsonSchema, type SchemaDocument } from "../model/schema-document.ts";
import { definitionsOf, methodOf } from "./facts.ts";

/** Which methods have a type in their params or result: `session/prompt (agent request)`, by the name of the type. */
export function methodsOfTypes(document: SchemaDocument): ReadonlyMap<string, ReadonlySet<string>> {
  const definitions = definitionsOf(document);
  const methods = new Map<string, Set<string>>();
  for (const [root, schema] of Object.entries(definitions)) {
    const method = schema["x-docs-ignore"] === true ? undefined : methodOf(root, schema);
    if (method === undefined) continue;
    for (const name of reachedFrom(root, definitions)) {
      const known = methods.get(name);
      if (known === undefined) methods.set(name, new Set([method]));
      else known.add(method);
    }
  }
  return methods;
}

function reachedFrom(root: string, definitions: Readonly<Record<string, JsonSchema>>): ReadonlySet<string> {
  const reached = new Set([root]);
  for (const name of reached) {
    for (const other of referencesIn(definitions[name])) if (definitions[other] !== undefined) reached.add(other);
  }
  return reached;
}

function* referencesIn(schema: unknown): Iterable<string> {
  if (Array.isArray(schema)) for (const item of schema) yield* referencesIn(item);
  if (!isPlainObject(schema)) return;
  const { $ref } = schema;
  if (typeof $ref === "string") yield $ref.replace(/^#\/(?:\$defs|definitions)\//, "");
  for (const value of Object.values(schema)) yield* referencesIn(value);
}
