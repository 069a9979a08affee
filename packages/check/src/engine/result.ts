import type { Side } from "../requirements/requirement.ts";
import type { CheckLevel } from "./check.ts";

/**
 * What became of a check: `pass`; `fail`; `flaky`, if it failed and passed when it was repeated; `not-applicable`, if the
 * checked side does not offer it; `not-reached`, if that side did not get so far; `error`, if the checker itself failed.
 */
export type CheckStatus = "pass" | "fail" | "flaky" | "not-applicable" | "not-reached" | "error";

/** A message of a check, for whoever looks into it. */
export interface Exchanged {
  /** Who sent it. */
  readonly from: Side;
  /** As it was on the wire, cut off after some thousand characters. */
  readonly text: string;
  /** When, in milliseconds since 1970. */
  readonly at?: number;
  /** The connection that it went over, from 0: a check may start its peer more than once. */
  readonly connection?: number;
}

/** How much of a message is kept. */
const keptCharacters = 20_000;

/** Whether a text is only the beginning of a message. */
export function isCutOff(text: string): boolean {
  return text.length === keptCharacters + 1 && text.endsWith("…");
}

/** What is kept of a message. */
export function exchangedOf(
  { direction, text, time }: { readonly direction: string; readonly text: string; readonly time: number },
  sender: Side,
  connection: number,
): Exchanged {
  const receiver = sender === "agent" ? "client" : "agent";
  return {
    from: direction === "sent" ? sender : receiver,
    text: text.length > keptCharacters ? `${text.slice(0, keptCharacters)}…` : text,
    at: Math.round(performance.timeOrigin + time),
    connection,
  };
}

/** What became of one check. */
export interface CheckResult {
  readonly id: string;
  readonly title: string;
  readonly level: CheckLevel;
  readonly rules: readonly string[];
  readonly seen?: string;
  readonly status: CheckStatus;
  /** Why it did not pass. */
  readonly reason?: string;
  /** How to mend it; only if it failed. */
  readonly mend?: string;
  /** How often it was run: more than once only if it failed first. */
  readonly runs: number;
  /** Milliseconds, of the last run. */
  readonly took: number;
  /** What went over the wire in the last run, the first 20 messages and the last 180; only if it did not pass. */
  readonly exchanged: readonly Exchanged[];
  /** What a checked client has shown; only if it did not pass. */
  readonly shown?: string;
  /** The end of the checked program's stderr; only if it did not pass. */
  readonly stderr?: string;
}

/** What became of all checks. */
export interface CheckReport {
  /** The format of this report. */
  readonly format: 1;
  /** The side that was checked. */
  readonly side: Side;
  /** How it was started or reached. */
  readonly target: string;
  /** What it calls itself, and its version, if it has said so. */
  readonly name?: string;
  readonly version?: string;
  /** The version of the protocol. */
  readonly protocol: 1 | 2;
  /** The frozen list of checks that was run, such as `2026-11`. */
  readonly set: string;
  /** What random pieces were made of. */
  readonly seed: number;
  /** Milliseconds, of the whole run. */
  readonly took: number;
  readonly results: readonly CheckResult[];
}
