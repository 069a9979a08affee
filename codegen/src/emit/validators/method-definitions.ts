import type { SchemaDocument } from "../../model/schema-document.ts";

/** Which definition describes which message, by wire method name. */
export interface MethodDefinitions {
  readonly requests: Readonly<Record<string, string>>;
  readonly results: Readonly<Record<string, string>>;
  readonly notifications: Readonly<Record<string, string>>;
}

/**
 * Reads the method table off the `x-method` hints. The suffix of the definition's name says what it describes,
 * since the schema says it nowhere else.
 */
export function methodDefinitions({ $defs }: Pick<SchemaDocument, "$defs">): MethodDefinitions {
  const requests: Record<string, string> = {};
  const results: Record<string, string> = {};
  const notifications: Record<string, string> = {};
  for (const [name, definition] of Object.entries($defs)) {
    const method = definition["x-method"];
    if (method === undefined) continue;
    const table = name.endsWith("Request") ? requests : name.endsWith("Response") ? results : notifications;
    if (table === notifications && !name.endsWith("Notification")) {
      throw new Error(`${name} (${method}) is neither a Request nor a Response nor a Notification`);
    }
    if (table[method] !== undefined)
      throw new Error(`${method} has two definitions of a kind: ${table[method]} and ${name}`);
    table[method] = name;
  }
  return { requests, results, notifications };
}
