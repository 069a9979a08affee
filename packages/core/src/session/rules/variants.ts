import { type RoleTable, unadvertised } from "@acp/schema";
import type { ArgumentProblem } from "./arguments.ts";

/** Why the receiver refuses variants of a union, by their tags: it did not advertise them. */
export type UnadvertisedVariants = ReadonlyMap<unknown, string | undefined>;

export function listRefusedVariants(table: RoleTable, union: string, capabilities: object): UnadvertisedVariants {
  const gates = Object.entries(table.variants[union] ?? {});
  return new Map(gates.map(([tag, gate]) => [tag, unadvertised([gate], capabilities)]));
}

/** Finds the first item of a list that the receiver did not advertise: a block of a prompt (PROM-03), an MCP server (MCP-04). */
export function findRefusedVariant(
  refused: UnadvertisedVariants,
  [member, list]: readonly [string, readonly { readonly type?: unknown }[]],
  rule: string,
): ArgumentProblem | undefined {
  for (let index = 0; index < list.length; index++) {
    const reason = refused.get(list[index]?.type);
    if (reason !== undefined) return { path: [member, index, "type"], reason, rule };
  }
  return undefined;
}
