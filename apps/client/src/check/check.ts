import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import {
  checkAgent,
  checkClient,
  type CheckReport,
  formatReport,
  judgeReport,
  resultLines,
  titleOf,
  verdictLines,
} from "@acp/check";

import type { RunCommand } from "../cli/command.ts";
import { ExitCode } from "../cli/exit.ts";
import { parseOptions } from "../cli/options.ts";
import { createStyle, type Style } from "../text/style.ts";
import { readBaseline, updateBaseline } from "./baseline-file.ts";
import { checkSpec } from "./check-spec.ts";
import { listChecks } from "./list-checks.ts";
import { readCheckOptions, readCommon } from "./read-options.ts";
import { reportFiles, writeReports } from "./write-reports.ts";

export const run: RunCommand = async (args, streams) => {
  const parsed = parseOptions(args, checkSpec.options);
  const { values } = parsed;
  const { output, env } = streams;
  if (values.list) {
    output.write(listChecks(readCommon(parsed), values.client !== undefined));
    return 0;
  }
  const files = reportFiles(values.out, values.badge);
  const folder = mkdtempSync(join(tmpdir(), "acp-check-"));
  const interrupt = new AbortController();
  const stop = (): void => interrupt.abort();
  process.on("SIGINT", stop).on("SIGTERM", stop);
  try {
    const options = await readCheckOptions(parsed, folder, streams);
    const baseline = readBaseline(values.baseline, values["update-baseline"]);
    const style = createStyle(output.isTTY === true, env);
    const print = (lines: readonly string[]): void => {
      if (values.format === undefined || values.format === "text") output.write(`${lines.join("\n")}\n`);
    };
    const running = {
      onResult: (result: CheckReport["results"][number]) => print(coloured(resultLines(result), style)),
    };
    const all = { ...running, signal: interrupt.signal };
    const report =
      "client" in options
        ? await checkClient({ ...options.client, ...all })
        : await checkAgent({ ...options.agent, ...all });
    if (interrupt.signal.aborted) return ExitCode.cancelled;
    const verdict = judgeReport(report, { baseline, strict: values.strict });
    print(["", ...verdictLines(verdict), titleOf(report)]);
    if (values.format !== undefined && values.format !== "text")
      output.write(formatReport(values.format as "json", report, verdict));
    writeReports(files, report, verdict);
    if (values["update-baseline"] && values.baseline !== undefined) {
      updateBaseline(values.baseline, report, verdict, baseline);
      return 0;
    }
    return verdict.isOk ? 0 : ExitCode.failure;
  } finally {
    process.off("SIGINT", stop).off("SIGTERM", stop);
    rmSync(folder, { recursive: true, force: true });
  }
};

function coloured([head = "", ...lines]: readonly string[], style: Style): readonly string[] {
  const format = head.startsWith("PASS") ? "green" : head.startsWith("NOT") ? "dim" : "red";
  return [style(format, head), ...lines];
}
