/** The part of JSON Schema with which this agent describes what others write: the arguments of tools, and its configuration. */
export interface Schema {
  readonly type: "string" | "boolean" | "integer" | "number" | "array" | "object";
  readonly description?: string;
  readonly enum?: readonly string[];
  readonly minLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
}

/** What is wrong with a value, as a sentence that names the member; `undefined` if it has the shape. */
export function checkShape(schema: Schema, value: unknown, at: string = ""): string | undefined {
  switch (schema.type) {
    case "object":
      return checkObject(schema, value, at);
    case "array": {
      const { minItems = 0, items } = schema;
      if (!Array.isArray(value)) return `${at} must be a list`;
      if (value.length < minItems) return `${at} must have ${minItems} or more members`;
      if (items === undefined) return undefined;
      const problems = value.map((item, index) => checkShape(items, item, `${at}[${index}]`));
      return problems.find((problem) => problem !== undefined);
    }
    case "integer":
    case "number":
      return checkNumber(schema, value, at);
    case "string":
      if (typeof value !== "string") return `${at} must be a string`;
      if (value.length < (schema.minLength ?? 0)) return `${at} must not be empty`;
      if (schema.enum?.includes(value) === false) return `${at} must be one of ${schema.enum.join(", ")}`;
      return undefined;
    default:
      return typeof value === "boolean" ? undefined : `${at} must be true or false`;
  }
}

function checkNumber(
  { type, minimum = -Infinity, maximum = Infinity }: Schema,
  value: unknown,
  at: string,
): string | undefined {
  const isRight = type === "integer" ? Number.isInteger(value) : Number.isFinite(value);
  if (isRight && Number(value) >= minimum && Number(value) <= maximum) return undefined;
  const name = type === "integer" ? "whole number" : "number";
  const from = minimum === -Infinity ? "" : ` from ${minimum}`;
  return `${at} must be a ${name}${from}${maximum === Infinity ? "" : ` to ${maximum}`}`;
}

function checkObject({ properties = {}, required = [] }: Schema, value: unknown, at: string): string | undefined {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return `${at || "It"} must be an object`;
  const prefix = at === "" ? "" : `${at}.`;
  const missing = required.find((name) => !Object.hasOwn(value, name));
  if (missing !== undefined) return `${prefix}${missing} is missing`;
  for (const [name, member] of Object.entries(value)) {
    const schema = Object.hasOwn(properties, name) ? properties[name] : undefined;
    const problem = schema === undefined ? `${prefix}${name} is unknown` : checkShape(schema, member, prefix + name);
    if (problem !== undefined) return problem;
  }
  return undefined;
}
