/* oxlint-disable unicorn/no-thenable -- JSON Schema has a keyword of that name */
import type { JsonSchema } from "../../model/schema-document.ts";
import { mapSubschemas } from "../../model/subschemas.ts";

const name = "__proto__";

/** Says in other keywords what definitions say of a member `__proto__`, which ajv leaves out. */
export function spellOutProtoMembers(
  definitions: Readonly<Record<string, JsonSchema>>,
): Readonly<Record<string, JsonSchema>> {
  if (!JSON.stringify(definitions).includes(`"${name}"`)) return definitions;
  return Object.fromEntries(Object.entries(definitions).map(([key, schema]) => [key, spelledOut(schema)]));
}

function spelledOut(given: JsonSchema): JsonSchema {
  if (typeof (given as unknown) !== "object") return given;
  const schema: JsonSchema & { readonly dependentRequired?: Readonly<Record<string, readonly string[]>> } =
    mapSubschemas(given, spelledOut);
  const { properties = {}, dependentSchemas = {}, dependentRequired = {} } = schema;
  const needed: JsonSchema[] = [];
  if (Object.hasOwn(dependentSchemas, name)) needed.push(own(dependentSchemas, name));
  if (Object.hasOwn(dependentRequired, name)) needed.push({ required: own(dependentRequired, name) });
  const conditions = needed.map((then): JsonSchema => ({ if: { type: "object", required: [name] }, then }));
  return {
    ...schema,
    ...(conditions.length > 0 && { allOf: [...(schema.allOf ?? []), ...conditions] }),
    ...(Object.hasOwn(properties, name) && {
      patternProperties: { ...schema.patternProperties, [`^${name}$`]: own(properties, name) },
    }),
  };
}

/** The member of that name, whatever objects inherit. */
function own<T>(members: Readonly<Record<string, T>>, member: string): T {
  return new Map(Object.entries(members)).get(member)!;
}
