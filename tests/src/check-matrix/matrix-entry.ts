import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import {
  type Baseline,
  type CheckReport,
  type CheckResult,
  type CheckStatus,
  judgeReport,
  parseBaseline,
} from "@acp/check";

import { root } from "../support/packages.ts";
import type { CheckedProgram } from "./checked-programs.ts";

/** What the matrix keeps of a run: a file of `docs/reports/check`. */
export interface MatrixEntry {
  readonly program: string;
  readonly side: "agent" | "client";
  readonly about?: string;
  /** What was installed. */
  readonly packages: Readonly<Record<string, string>>;
  readonly protocol: 1 | 2;
  /** Why there are no results. */
  readonly unavailable?: string;
  /** What an agent calls itself. */
  readonly calledItself?: string;
  readonly set?: string;
  readonly seconds?: number;
  readonly passed: readonly string[];
  readonly rest: readonly UnpassedCheck[];
}

/** A check that did not pass. */
export interface UnpassedCheck {
  readonly id: string;
  readonly level: CheckResult["level"];
  readonly status: CheckStatus;
  readonly reason: string;
  readonly rules: readonly string[];
  readonly seen?: string;
  /** Why the failure is the program's, as its list of known failures says. */
  readonly known?: string;
  readonly issue?: string;
  /** The last messages; only of a failure. */
  readonly messages?: readonly string[];
  /** The end of what a client has shown; only of a failure. */
  readonly shown?: string;
}

/** Whether a check found something wrong. */
export const isFailure = ({ status }: UnpassedCheck): boolean =>
  status === "fail" || status === "flaky" || status === "error";

const reports = join(root, "docs/reports/check");
const known = join(root, "tests/src/check-matrix/known");

/** The file of an entry, below `docs`. */
export function entryPath(program: string, protocol: 1 | 2): string {
  return `reports/check/${program}-version-${protocol}.json`;
}

/** What goes into the matrix of a run. Adds what is known about its failures, and says what of that is stale. */
export function entryOf(
  program: CheckedProgram,
  report: CheckReport,
): { readonly entry: MatrixEntry; readonly stale: readonly string[]; readonly unknown: readonly string[] } {
  const baseline = knownOf(program.name, report.protocol);
  const { stale, failures } = judgeReport(report, { baseline, strict: true });
  const called = [report.name, report.version].filter((part) => part !== undefined).join(" ");
  return {
    entry: explained({
      ...unavailableEntry(program, report.protocol),
      ...(called === "" ? {} : { calledItself: called }),
      set: report.set,
      seconds: Math.round(report.took / 1000),
      passed: report.results.filter(({ status }) => status === "pass").map(({ id }) => id),
      rest: report.results.filter(({ status }) => status !== "pass").map(unpassed),
    }),
    stale: stale.map(({ entry, why }) => `${entry.id}: ${why}`),
    unknown: failures.map(({ id, reason = "" }) => `${id}: ${reason}`),
  };
}

/** An entry with the reasons that are known of its failures by now. */
export function explained(entry: MatrixEntry): MatrixEntry {
  const reasons = new Map(knownOf(entry.program, entry.protocol).known.map((one) => [one.id, one]));
  return {
    ...entry,
    rest: entry.rest.map(({ known: _known, issue: _issue, ...check }) => {
      const { why, issue } = (isFailure(check) ? reasons.get(check.id) : undefined) ?? {};
      return { ...check, ...(why === undefined ? {} : { known: why }), ...(issue === undefined ? {} : { issue }) };
    }),
  };
}

function knownOf(program: string, protocol: 1 | 2): Baseline {
  const file = join(known, `${program}-version-${protocol}.json`);
  return existsSync(file) ? parseBaseline(readFileSync(file, "utf8")) : { known: [] };
}

/** What goes into the matrix of a program that could not be run. */
export function unavailableEntry(program: CheckedProgram, protocol: 1 | 2, unavailable?: string): MatrixEntry {
  const { name, side, about, packages } = program;
  return {
    program: name,
    side,
    ...(about === undefined ? {} : { about }),
    packages,
    protocol,
    ...(unavailable === undefined ? {} : { unavailable }),
    passed: [],
    rest: [],
  };
}

function unpassed({ id, level, status, reason = "", rules, seen, exchanged, shown }: CheckResult): UnpassedCheck {
  const about = { id, level, status, reason: cut(reason, 400), rules, ...(seen === undefined ? {} : { seen }) };
  if (!isFailure(about)) return about;
  const messages = exchanged.slice(-6).map(({ from, text }) => cut(`${from}: ${text}`, 300));
  return { ...about, messages, ...(shown === undefined ? {} : { shown: cut(shown.slice(-400), 400) }) };
}

function cut(text: string, characters: number): string {
  return text.length > characters ? `${text.slice(0, characters)}…` : text;
}

/** Reads the entry of an earlier run. */
export function readEntry(program: string, protocol: 1 | 2): MatrixEntry | undefined {
  const file = join(root, "docs", entryPath(program, protocol));
  return existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as MatrixEntry) : undefined;
}

/** An entry in which some checks have the results of a later run. */
export function mergeEntry(whole: MatrixEntry, part: MatrixEntry): MatrixEntry {
  const later = new Set([...part.passed, ...part.rest.map(({ id }) => id)]);
  return {
    ...whole,
    passed: [...whole.passed.filter((id) => !later.has(id)), ...part.passed],
    rest: [...whole.rest.filter(({ id }) => !later.has(id)), ...part.rest],
  };
}

/** Writes an entry to its file. */
export function writeEntry(entry: MatrixEntry): void {
  mkdirSync(reports, { recursive: true });
  writeFileSync(join(root, "docs", entryPath(entry.program, entry.protocol)), `${JSON.stringify(entry, null, 2)}\n`);
}
