import type { RoleTable } from "@acp/schema";
import type { ArgumentProblem } from "./arguments.ts";
import { describeGate, isSupported } from "./gates.ts";

/**
 * The first item of a list in received params that its receiver did not advertise to take: a block of a
 * prompt (PROM-03), an MCP server (MCP-04).
 */
export function checkVariants(
  table: RoleTable,
  union: string,
  capabilities: object,
  [member, list]: readonly [string, readonly { readonly type?: string }[]],
  rule: string,
): ArgumentProblem | undefined {
  const gates = table.variants[union] ?? {};
  for (let index = 0; index < list.length; index++) {
    const type = list[index]?.type;
    const gate = type !== undefined && Object.hasOwn(gates, type) ? gates[type] : undefined;
    if (gate?.kind !== "capability" || isSupported(capabilities, gate.path)) continue;
    return { path: [member, index, "type"], reason: `is not supported: ${describeGate(gate)} is not advertised`, rule };
  }
  return undefined;
}
