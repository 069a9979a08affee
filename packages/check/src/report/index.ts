import type { CheckReport } from "../engine/result.ts";
import type { Verdict } from "../engine/verdict.ts";
import { badgeReport } from "./badge-report.ts";
import { htmlReport } from "./html-report.ts";
import { jsonReport } from "./json-report.ts";
import { junitReport } from "./junit-report.ts";
import { markdownReport } from "./markdown-report.ts";
import { resultLines, verdictLines } from "./text-report.ts";
import { requireReport, requireVerdict } from "../engine/require-report.ts";

/** The forms of a report. */
export const reportFormats = ["text", "json", "junit", "markdown", "html", "badge"] as const;

/** The form of a report. */
export type ReportFormat = (typeof reportFormats)[number];

/** Writes a report. */
export function formatReport(format: ReportFormat, report: CheckReport, verdict: Verdict): string {
  requireReport(report, "formatReport() takes");
  requireVerdict(verdict, "formatReport() takes");
  switch (format) {
    case "json":
      return jsonReport(report, verdict);
    case "junit":
      return junitReport(report, verdict);
    case "markdown":
      return markdownReport(report, verdict);
    case "html":
      return htmlReport(report, verdict);
    case "badge":
      return badgeReport(report, verdict);
    default: {
      const lines = [...report.results.flatMap(resultLines), "", ...verdictLines(report, verdict)];
      return `${lines.join("\n")}\n`;
    }
  }
}
