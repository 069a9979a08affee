import { agentChecks, type Check, clientChecks, selectChecks, type Selection } from "@acp/check";

import { columns } from "../text/table.ts";

/** The checks that a run would make, one on a line. */
export function listChecks(selection: Selection, isClient: boolean): string {
  const checks: readonly Check<never>[] = isClient
    ? selectChecks(clientChecks, selection)
    : selectChecks(agentChecks, selection);
  const rows = checks.map(({ id, level, rules = [], title }) => [id, level, rules.join(","), title]);
  return `${columns(rows).join("\n")}\n`;
}
