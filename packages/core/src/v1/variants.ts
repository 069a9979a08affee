import type { RoleTable } from "@acp/schema";
import type { ArgumentProblem } from "./arguments.ts";
import { describeGate, isSupported } from "./gates.ts";

/** The variants of a union that are not advertised to be taken by their receiver, and the capabilities that they need. */
export function unadvertisedVariants(
  table: RoleTable,
  union: string,
  capabilities: object,
): ReadonlyMap<unknown, string> {
  const gates = Object.entries(table.variants[union] ?? {});
  const closed = gates.filter(([, gate]) => gate.kind === "capability" && !isSupported(capabilities, gate.path));
  return new Map(closed.map(([tag, gate]) => [tag, describeGate(gate)]));
}

/**
 * The first item of a list in received params that its receiver did not advertise to take: a block of a
 * prompt (PROM-03), an MCP server (MCP-04).
 */
export function checkVariants(
  unadvertised: ReadonlyMap<unknown, string>,
  [member, list]: readonly [string, readonly { readonly type?: unknown }[]],
  rule: string,
): ArgumentProblem | undefined {
  for (let index = 0; index < list.length; index++) {
    const missing = unadvertised.get(list[index]?.type);
    if (missing === undefined) continue;
    return { path: [member, index, "type"], reason: `is not supported: ${missing} is not advertised`, rule };
  }
  return undefined;
}
