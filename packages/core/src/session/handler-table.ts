import { UsageError } from "../base/errors.ts";
import type { Awaitable } from "../rpc/methods.ts";
import type { Role } from "../rpc/method-index.ts";

/** Handlers of extension methods that the protocol value does not declare. */
export type ExtensionHandlers<Context> = {
  // A handler may annotate any type: the params of an undeclared extension are unknown.
  // oxlint-disable-next-line typescript/no-explicit-any
  [method: `_${string}`]: (params: any, context: Context) => Awaitable<unknown>;
};

/** A handler as the connection calls it. Its types were checked where it was given. */
export type UntypedHandler = (params: unknown, context: unknown) => unknown;

/**
 * Handlers by method. `reserved` are methods that the library handles itself, and that take no handler.
 *
 * @throws {UsageError} for a method the role does not handle, with the nearest name, or the side that does.
 */
export function collectHandlers(table: Role, handlers: object, reserved?: string): ReadonlyMap<string, UntypedHandler> {
  const { requests, notifications } = table.handles;
  const known = [...Object.keys(requests), ...Object.keys(notifications), ...(table.foreign ?? [])];
  const result = new Map<string, UntypedHandler>();
  for (const [method, handler] of Object.entries(handlers)) {
    if (handler == null) continue;
    if (!method.startsWith("_") && !known.includes(method)) throw new UsageError(unknownMethod(method, known, table));
    if (method === reserved) throw new UsageError(`${method} is handled by the library; it takes no handler`);
    if (typeof handler !== "function") throw new UsageError(`The handler for ${method} is no function`);
    result.set(method, handler as UntypedHandler);
  }
  return result;
}

function unknownMethod(method: string, known: readonly string[], { role, calls, protocolVersion }: Role): string {
  const [own, other] = role === "agent" ? ["An agent", "a client"] : ["A client", "an agent"];
  const unknown = `${own} handles no method '${method}'`;
  if (Object.hasOwn({ ...calls.requests, ...calls.notifications }, method)) return `${unknown}; ${other} does`;
  let nearest = "";
  // Many names share the part before the slash: it makes no name more similar.
  let least = Math.max(2, Math.floor((method.length - method.lastIndexOf("/")) / 3)) + 1;
  for (const name of known) {
    const far = distance(method, name);
    if (far >= least) continue;
    nearest = `; did you mean ${name}?`;
    least = far;
  }
  const entry = `@acp/core${protocolVersion > 1 ? "/v2" : ""}/unstable`;
  return `${unknown}${nearest} (for unstable methods import ${entry}; for extension methods use extend)`;
}

/** Levenshtein distance: how many characters to add, drop or replace. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, row[j]! + 1, next[j - 1]! + 1));
    }
    row = next;
  }
  return row[b.length]!;
}
