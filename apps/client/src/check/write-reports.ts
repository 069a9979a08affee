import { existsSync, writeFileSync } from "node:fs";
import { dirname, extname } from "node:path";

import { type CheckReport, formatReport, type ReportFormat, reportPage, type Verdict } from "@acp/check";

import { CommandLineError, ExitCode, ProgramFailure } from "../cli/exit.ts";

const endings: ReadonlyMap<string, ReportFormat> = new Map([
  [".txt", "text"],
  [".json", "json"],
  [".xml", "junit"],
  [".md", "markdown"],
  [".html", "html"],
]);

/** A report to write. */
export interface ReportFile {
  readonly file: string;
  readonly format: ReportFormat;
}

/**
 * The reports that the options name.
 *
 * @throws {CommandLineError} for an ending that says nothing.
 */
export function reportFiles(files: readonly string[], badge: string | undefined): readonly ReportFile[] {
  const reports = files.map((file) => {
    const format = endings.get(extname(file));
    if (format === undefined)
      throw new CommandLineError(`--out ${file}: the file must end in ${[...endings.keys()].join(", ")}`);
    return { file, format };
  });
  const all: readonly ReportFile[] = badge === undefined ? reports : [...reports, { file: badge, format: "badge" }];
  for (const { file } of all) requireFolder(file);
  return all;
}

/**
 * Before a run, which would be for nothing.
 *
 * @throws {CommandLineError} if the folder of a file that will be written is not there.
 */
export function requireFolder(file: string): void {
  const folder = dirname(file);
  if (!existsSync(folder)) throw new CommandLineError(`${file} cannot be written: there is no folder ${folder}`);
}

export async function writeReports(files: readonly ReportFile[], report: CheckReport, verdict: Verdict): Promise<void> {
  for (const { file, format } of files) writeResult(file, await reportText(format, report, verdict));
}

/** The text of a report. */
export async function reportText(format: ReportFormat, report: CheckReport, verdict: Verdict): Promise<string> {
  return format === "html" ? reportPage(report, verdict) : formatReport(format, report, verdict);
}

/** @throws {ProgramFailure} if it cannot be written. */
export function writeResult(file: string, text: string): void {
  try {
    writeFileSync(file, text);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new ProgramFailure(`${file} cannot be written: ${reason}`, ExitCode.failure, undefined, error);
  }
}
