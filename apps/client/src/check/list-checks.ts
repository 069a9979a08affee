import { agentChecks, type Check, clientChecks, selectChecks } from "@acp/check";

import { columns } from "../text/table.ts";
import type { CheckOptions } from "./read-options.ts";

/** The checks that a run would make, one on a line. */
export function listChecks(options: CheckOptions): string {
  const checks: readonly Check<never>[] =
    "client" in options ? selectChecks(clientChecks, options.client) : selectChecks(agentChecks, options.agent);
  const rows = checks.map(({ id, level, rules = [], title }) => [id, level, rules.join(","), title]);
  return `${columns(rows).join("\n")}\n`;
}
