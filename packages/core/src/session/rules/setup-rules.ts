import { type Gate, type RoleTable, unadvertised } from "@acp/schema";
import { readSessionId } from "../../rpc/request-table.ts";
import type { CallRules } from "./call-rules.ts";
import { findRefusedVariant, listRefusedVariants } from "./variants.ts";

/**
 * Checks the params that are about to open a session: further roots (SESS-22), a system prompt.
 *
 * @throws {CapabilityError} if the agent did not advertise one of these.
 */
export function checkSetup(rules: CallRules, method: string, params: object): void {
  for (const { member, value, gates } of findGatedMembers(rules.table, params)) {
    rules.checkGates(`${method} with ${member}`, value, gates);
  }
}

/**
 * Reports MCP servers, further roots and a system prompt in received params if the agent did not advertise them (MCP-04,
 * SESS-22, INIT-12). The handler can ignore them.
 */
export function checkReceivedSetup(rules: CallRules, method: string, params: object, capabilities: object): void {
  const { table } = rules;
  const { mcpServers } = params as { readonly mcpServers?: readonly { readonly type?: string }[] | null };
  const refused = listRefusedVariants(table, "McpServer", capabilities);
  const sessionId = readSessionId(params);
  rules.tolerate(method, findRefusedVariant(refused, ["mcpServers", mcpServers ?? []], "MCP-04"), sessionId);
  for (const { member, value, gates } of findGatedMembers(table, params)) {
    const reason = unadvertised(gates, capabilities, value);
    if (reason === undefined) continue;
    const rule = member === "additionalDirectories" ? "SESS-22" : "INIT-12";
    rules.tolerate(method, { path: [member], reason, rule }, sessionId);
  }
}

/** Finds the members that need a capability. */
function* findGatedMembers(
  { setup = {} }: RoleTable,
  params: object,
): Iterable<{ member: string; value: unknown; gates: readonly Gate[] }> {
  for (const [member, gates] of Object.entries(setup)) {
    const value = (params as Record<string, unknown>)[member];
    if (value == null || (Array.isArray(value) && value.length === 0)) continue;
    yield { member, value, gates };
  }
}
