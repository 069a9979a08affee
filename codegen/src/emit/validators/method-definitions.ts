import { Place } from "../../model/place.ts";
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
      throw new Place(name).unsupported(
        `it is of ${method}, and neither a Request nor a Response nor a Notification; rename it`,
      );
    }
    if (Object.hasOwn(table, method) || method === "__proto__") {
      const reason = method === "__proto__" ? "no table can have it" : `${table[method]} is of the same kind`;
      throw new Place(name).unsupported(`validators are found by method, and ${method} cannot be: ${reason}`);
    }
    table[method] = name;
  }
  return { requests, results, notifications };
}
