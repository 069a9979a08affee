import type { RoleTable } from "@acp/schema";
import type { ArgumentProblem } from "./arguments.ts";
import { describeGate, isSupported } from "./gates.ts";

/** The first block of a received prompt that the agent did not advertise to take (PROM-03). */
export function checkPromptContent(
  table: RoleTable,
  capabilities: object,
  params: unknown,
): ArgumentProblem | undefined {
  const gates = table.variants["ContentBlock"];
  if (gates === undefined) return undefined;
  const { prompt } = params as { readonly prompt: readonly { readonly type: string }[] };
  for (const [index, block] of prompt.entries()) {
    const gate = Object.hasOwn(gates, block.type) ? gates[block.type] : undefined;
    if (gate?.kind !== "capability" || isSupported(capabilities, gate.path)) continue;
    return { path: ["prompt", index, "type"], reason: `is not supported: ${describeGate(gate)} is not advertised` };
  }
  return undefined;
}
