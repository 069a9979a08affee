import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import {
  checkAgent,
  checkClient,
  type CheckReport,
  judgeReport,
  NotStartedError,
  type ReportFormat,
  resultLines,
  UnreachableError,
  verdictLines,
} from "@acp/check";
import { printableLine } from "@acp/render/text";

import { ProcessStartError } from "#runtime";
import type { RunCommand } from "../cli/command.ts";
import { ExitCode, ProgramFailure } from "../cli/exit.ts";
import { parseOptions } from "../cli/options.ts";
import type { Streams } from "../cli/streams.ts";
import { classifyFailure } from "../protocol/failure.ts";
import { createProgressLine } from "../cli/progress-line.ts";
import { createStyle, type Style } from "../text/style.ts";
import { readBaseline, updateBaseline } from "./baseline-file.ts";
import { checkSpec } from "./check-spec.ts";
import { listChecks } from "./list-checks.ts";
import { checksFor, readCheckOptions } from "./read-options.ts";
import { reportFiles, reportText, writeReports } from "./write-reports.ts";

export const run: RunCommand = async (args, streams) => {
  const exitCode = await check(args, streams);
  await new Promise((resolve) => streams.output.write("", resolve));
  // Does not wait for what checks that were given up still wait for.
  process.exit(exitCode);
};

async function check(args: readonly string[], streams: Streams): Promise<number> {
  const parsed = parseOptions(args, checkSpec.options);
  const { values } = parsed;
  const { output, env } = streams;
  if (values.list) {
    output.write(listChecks(checksFor(parsed)));
    return 0;
  }
  const files = reportFiles(values.out, values.badge);
  const baseline = readBaseline(values.baseline, values["update-baseline"]);
  const folder = mkdtempSync(join(tmpdir(), "acp-check-"));
  const progress = createProgressLine(streams);
  const interrupt = new AbortController();
  const stop = (): void => interrupt.abort();
  process.on("SIGINT", stop).on("SIGTERM", stop);
  try {
    const options = await readCheckOptions(parsed, folder, streams);
    const style = createStyle(output.isTTY === true, env);
    const print = (lines: readonly string[]): void => {
      if (values.format !== undefined && values.format !== "text") return;
      progress.clear();
      output.write(`${lines.join("\n")}\n`);
    };
    const running = {
      onResult: (result: CheckReport["results"][number]) => print(coloured(resultLines(result), style)),
      onProgress: (done: number, all: number) => progress.show(`${done} of ${all} checks`),
      signal: interrupt.signal,
    };
    const report =
      "client" in options
        ? await checkClient({ ...options.client, ...running })
        : await checkAgent({ ...options.agent, ...running });
    progress.clear();
    if (interrupt.signal.aborted) return ExitCode.cancelled;
    const verdict = judgeReport(report, { baseline, strict: values.strict });
    print(["", ...verdictLines(report, verdict)]);
    if (values.format !== undefined && values.format !== "text")
      output.write(await reportText(values.format as ReportFormat, report, verdict));
    await writeReports(files, report, verdict);
    if (values["update-baseline"] && values.baseline !== undefined) {
      updateBaseline(values.baseline, report, verdict, baseline);
      return 0;
    }
    return verdict.isOk ? 0 : ExitCode.failure;
  } catch (error) {
    progress.clear();
    if (interrupt.signal.aborted) return ExitCode.cancelled;
    throw explained(error);
  } finally {
    process.off("SIGINT", stop).off("SIGTERM", stop);
    rmSync(folder, { recursive: true, force: true });
  }
}

function explained(error: unknown): unknown {
  if (error instanceof ProcessStartError) return ProgramFailure.of(classifyFailure(error), error);
  if (error instanceof UnreachableError) {
    const advice = "Correct --url, and pass what the server asks for with --header";
    return new ProgramFailure(printableLine(error.message), ExitCode.agentEnded, advice, error);
  }
  if (error instanceof NotStartedError) {
    const advice =
      "Run the command by itself. An agent waits for messages on its stdin, a client starts what {agent} stands for";
    const said = error.stderr.trimEnd().split("\n").slice(-20).map(printableLine);
    return new ProgramFailure(error.message, ExitCode.agentEnded, advice, error, said);
  }
  return error;
}

function coloured([head = "", ...lines]: readonly string[], style: Style): readonly string[] {
  const format = head.startsWith("PASS") ? "green" : head.startsWith("NOT") ? "dim" : "red";
  return [style(format, head), ...lines];
}
