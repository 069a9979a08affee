import type { CheckReport, CheckStatus } from "../engine/result.ts";
import type { Verdict } from "../engine/verdict.ts";

/** What a status is called. */
export function statusWord(status: CheckStatus): string {
  return status.replace("-", " ").toUpperCase();
}

/** What was checked, in one line. */
export function titleOf({ side, name, version, target, protocol, set }: CheckReport): string {
  const called = [name, version].filter((part) => part !== undefined).join(" ");
  return `${side === "agent" ? "Agent" : "Client"} ${called === "" ? target : called}, ACP version ${protocol}, ${checksOf(set)}`;
}

function checksOf(set: string): string {
  if (set === "next") return "all checks";
  return set === "registry" ? "what the registry demands" : `checks of ${set}`;
}

/** The counts, in one line. */
export function summaryOf({ counts, known }: Verdict): string {
  const parts = [
    `${counts.pass} passed`,
    `${counts.fail} failed${known.length === 0 ? "" : ` (${known.length} as known)`}`,
    ...(counts.flaky === 0 ? [] : [`${counts.flaky} flaky`]),
    ...(counts.error === 0 ? [] : [`${counts.error} could not be run`]),
    `${counts["not-applicable"]} not applicable`,
    `${counts["not-reached"]} not reached`,
  ];
  return parts.join(", ");
}
