import { writeFileSync } from "node:fs";
import { extname } from "node:path";

import { type CheckReport, formatReport, type ReportFormat, type Verdict } from "@acp/check";

import { CommandLineError } from "../cli/exit.ts";

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
  return badge === undefined ? reports : [...reports, { file: badge, format: "badge" }];
}

export function writeReports(files: readonly ReportFile[], report: CheckReport, verdict: Verdict): void {
  for (const { file, format } of files) writeFileSync(file, formatReport(format, report, verdict));
}
