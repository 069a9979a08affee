import { existsSync, readFileSync } from "node:fs";

import { type Baseline, type CheckReport, parseBaseline, type Verdict } from "@acp/check";

import { CommandLineError, wrongConfiguration } from "../cli/exit.ts";
import { requireFolder, writeResult } from "./write-reports.ts";

/**
 * Reads the baseline.
 *
 * @throws {ProgramFailure} if the file is missing or wrong.
 */
export function readBaseline(file: string | undefined, isUpdated: boolean): Baseline | undefined {
  if (file === undefined) {
    if (isUpdated) throw new CommandLineError("--update-baseline needs --baseline <file>: what to write");
    return undefined;
  }
  if (isUpdated) requireFolder(file);
  if (isUpdated && !existsSync(file)) return undefined;
  try {
    return parseBaseline(readFileSync(file, "utf8"));
  } catch (error) {
    throw wrongConfiguration(
      `The baseline ${file} cannot be read: ${error instanceof Error ? error.message : String(error)}`,
      undefined,
      error,
    );
  }
}

/** Writes what fails now as known. Entries that still fail, or were not run, keep what they say. */
export function updateBaseline(
  file: string,
  report: CheckReport,
  verdict: Verdict,
  before: Baseline | undefined,
): void {
  const failed = [...verdict.failures, ...verdict.known, ...verdict.warnings];
  const isReached = (id: string): boolean =>
    report.results.some((result) => result.id === id && result.status !== "not-reached");
  const known = [
    ...failed.map(({ id, reason }) => before?.known.find((entry) => entry.id === id) ?? { id, why: reason }),
    ...(before?.known.filter(({ id }) => !isReached(id)) ?? []),
  ];
  const sorted = known.toSorted((one, other) => (one.id < other.id ? -1 : 1));
  writeResult(file, `${JSON.stringify({ set: report.set, known: sorted }, undefined, 2)}\n`);
}
