import type { RoleTable } from "@acp/schema";
import type { ArgumentProblem } from "./arguments.ts";
import { findClosed, unadvertised } from "./gates.ts";

/** The variants of a union that their receiver did not advertise to take, and what is wrong with them for that. */
export function unadvertisedVariants(
  table: RoleTable,
  union: string,
  capabilities: object,
): ReadonlyMap<unknown, string> {
  const gates = Object.entries(table.variants[union] ?? {});
  const closed = gates.filter(([, gate]) => findClosed([gate], capabilities));
  return new Map(closed.map(([tag, gate]) => [tag, unadvertised(gate)]));
}

/**
 * The first item of a list in received params that its receiver did not advertise to take: a block of a
 * prompt (PROM-03), an MCP server (MCP-04).
 */
export function checkVariants(
  refused: ReadonlyMap<unknown, string>,
  [member, list]: readonly [string, readonly { readonly type?: unknown }[]],
  rule: string,
): ArgumentProblem | undefined {
  for (let index = 0; index < list.length; index++) {
    const reason = refused.get(list[index]?.type);
    if (reason !== undefined) return { path: [member, index, "type"], reason, rule };
  }
  return undefined;
}
