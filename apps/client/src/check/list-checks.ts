import type { Check } from "@acp/check";

import { columns } from "../text/table.ts";

/** Checks, one on a line. */
export function listChecks(checks: readonly Check<never>[]): string {
  const rows = checks.map(({ id, level, rules = [], title }) => [id, level, rules.join(","), title]);
  return `${columns(rows).join("\n")}\n`;
}
