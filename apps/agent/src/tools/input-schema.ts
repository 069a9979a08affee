import { jsonSchema, type Schema as InputSchema } from "ai";

import { checkShape, type Schema } from "../check-shape.ts";

/**
 * The schema of a tool's input: the model is told of it, and what it writes is checked against it. `Input` is the type that
 * the schema describes. A model that writes something else gets the sentence that says what is wrong, and tries again.
 */
export function inputSchema<Input extends object>(
  properties: Readonly<Record<keyof Input & string, Schema & { readonly description: string }>>,
  required: readonly (keyof Input & string)[],
): InputSchema<Input> {
  const schema: Schema = { type: "object", properties, required };
  return jsonSchema<Input>(schema as Parameters<typeof jsonSchema<Input>>[0], {
    validate(written) {
      const value = withoutNulls(written);
      const problem = checkShape(schema, value);
      if (problem === undefined) return { success: true, value: value as Input };
      return { success: false, error: new Error(problem) };
    },
  });
}

/** Many models write `null` for what they leave out. */
function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).filter(([, member]) => member !== null);
  return Object.fromEntries(members.map(([name, member]) => [name, withoutNulls(member)]));
}
