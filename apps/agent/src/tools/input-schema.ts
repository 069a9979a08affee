import { jsonSchema, type Schema } from "ai";

/** What a member of an input can be. `description` is for the model. */
export type Member =
  | { readonly type: "string" | "boolean"; readonly description: string }
  | {
      readonly type: "integer";
      readonly description: string;
      readonly minimum: number;
      readonly maximum?: number;
    }
  | {
      readonly type: "array";
      readonly description: string;
      readonly minItems: number;
      readonly items: ObjectSchema;
    };

export interface ObjectSchema {
  readonly type: "object";
  readonly properties: Readonly<Record<string, Member>>;
  readonly required: readonly string[];
}

/**
 * The schema of a tool's input: the model is told of it, and what it writes is checked against it. `Input` is the type that
 * the schema describes. A model that writes something else gets the sentence that says what is wrong, and tries again.
 */
export function inputSchema<Input extends object>(
  properties: Readonly<Record<keyof Input & string, Member>>,
  required: readonly (keyof Input & string)[],
): Schema<Input> {
  const schema: ObjectSchema = { type: "object", properties, required };
  return jsonSchema<Input>(
    { type: "object", properties: { ...properties } as Record<string, object>, required: [...required] },
    {
      validate(value) {
        const problem = problemOfObject(schema, value, "");
        return problem === undefined
          ? { success: true, value: value as Input }
          : { success: false, error: new Error(problem) };
      },
    },
  );
}

function problemOfObject({ properties, required }: ObjectSchema, value: unknown, at: string): string | undefined {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return `${at || "The input"} is no object`;
  const missing = required.find((name) => !Object.hasOwn(value, name));
  if (missing !== undefined) return `${at}${missing} is missing`;
  for (const [name, given] of Object.entries(value)) {
    const member = Object.hasOwn(properties, name) ? properties[name] : undefined;
    const problem = member === undefined ? `There is no ${at}${name}` : problemOf(member, given, `${at}${name}`);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function problemOf(member: Member, value: unknown, at: string): string | undefined {
  switch (member.type) {
    case "integer": {
      const { minimum, maximum = Infinity } = member;
      if (Number.isInteger(value) && Number(value) >= minimum && Number(value) <= maximum) return undefined;
      return `${at} must be a whole number from ${minimum}${maximum === Infinity ? "" : ` to ${maximum}`}`;
    }
    case "array": {
      if (!Array.isArray(value) || value.length < member.minItems) return `${at} must be a list`;
      const problems = value.map((item, index) => problemOfObject(member.items, item, `${at}[${index}].`));
      return problems.find((problem) => problem !== undefined);
    }
    default:
      return typeof value === member.type ? undefined : `${at} must be a ${member.type}`;
  }
}
