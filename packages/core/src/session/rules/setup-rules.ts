import { type Gate, type RoleTable, unadvertised } from "@acp/schema";
import { readSessionId } from "../../rpc/lanes.ts";
import type { CallRules } from "./call-rules.ts";
import { checkVariants, unadvertisedVariants } from "./variants.ts";

/**
 * Checks what a session is about to be opened with: further roots (SESS-22), a system prompt.
 *
 * @throws {CapabilityError} if the agent did not advertise to take it.
 */
export function checkSetup(rules: CallRules, method: string, params: object): void {
  for (const { member, value, gates } of setupOf(rules.table, params)) {
    rules.checkGates(`${method} with ${member}`, value, gates);
  }
}

/**
 * Tells of what a client opens a session with although it was not advertised, MCP servers, further roots and a system
 * prompt (MCP-04, SESS-22, INIT-12): the handler may do without.
 */
export function checkReceivedSetup(rules: CallRules, method: string, params: object, capabilities: object): void {
  const { table } = rules;
  const { mcpServers } = params as { readonly mcpServers?: readonly { readonly type?: string }[] | null };
  const refused = unadvertisedVariants(table, "McpServer", capabilities);
  rules.tolerate(method, checkVariants(refused, ["mcpServers", mcpServers ?? []], "MCP-04"), readSessionId(params));
  for (const { member, value, gates } of setupOf(table, params)) {
    const reason = unadvertised(gates, capabilities, value);
    if (reason === undefined) continue;
    const rule = member === "additionalDirectories" ? "SESS-22" : "INIT-12";
    rules.tolerate(method, { path: [member], reason, rule }, readSessionId(params));
  }
}

/** The members that open a session in a way that not every agent can. */
function* setupOf(
  { setup = {} }: RoleTable,
  params: object,
): Iterable<{ member: string; value: unknown; gates: readonly Gate[] }> {
  for (const [member, gates] of Object.entries(setup)) {
    const value = (params as Record<string, unknown>)[member];
    if (value == null || (Array.isArray(value) && value.length === 0)) continue;
    yield { member, value, gates };
  }
}
