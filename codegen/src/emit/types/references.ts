import { type JsonSchema, SchemaError } from "../../model/schema-document.ts";

/** The definitions that reach one of `roots` through references, and the roots themselves. */
export function reaching(
  definitions: Readonly<Record<string, JsonSchema>>,
  roots: ReadonlySet<string>,
): ReadonlySet<string> {
  const users = new Map<string, string[]>();
  for (const [name, schema] of Object.entries(definitions)) {
    for (const used of references(schema)) users.set(used, [...(users.get(used) ?? []), name]);
  }
  const reached = new Set(roots);
  for (const name of reached) for (const user of users.get(name) ?? []) reached.add(user);
  return reached;
}

/** The names a schema refers to. */
export function references(schema: JsonSchema): ReadonlySet<string> {
  const own = schema.$ref === undefined ? [] : [referencedName(schema.$ref)];
  return new Set([...own, ...partsOf(schema).flatMap((part) => [...references(part)])]);
}

/** The schemas directly inside a schema, without the branches that stand for unknown variants. */
export function partsOf(schema: JsonSchema): readonly JsonSchema[] {
  return [
    ...Object.values(schema.properties ?? {}),
    ...(typeof schema.additionalProperties === "object" ? [schema.additionalProperties] : []),
    ...(schema.items === undefined ? [] : [schema.items]),
    ...[...(schema.allOf ?? []), ...(schema.anyOf ?? []), ...(schema.oneOf ?? [])].filter(
      (part) => part.not === undefined,
    ),
  ];
}

/** The definition that a `#/$defs/Name` reference points to. */
export function referencedName(reference: string): string {
  const name = /^#\/\$defs\/([A-Za-z_$][\w$]*)$/.exec(reference)?.[1];
  if (name === undefined) throw new SchemaError(`expected a reference of the form #/$defs/Name, got ${reference}`);
  return name;
}
