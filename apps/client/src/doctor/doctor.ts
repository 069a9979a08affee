import { launchSettings } from "../agents/launch-settings.ts";
import { selectOne } from "../agents/agent-selection.ts";
import { resolveAgent } from "../agents/resolve-agent.ts";
import { CommandLineError, ExitCode } from "../cli/exit.ts";
import type { RunCommand } from "../cli/command.ts";
import { directoryOf, millisecondsOf } from "../cli/option-values.ts";
import { parseOptions } from "../cli/options.ts";
import { resolveSetup, setupOf } from "../agents/setup/resolve-setup.ts";
import { createProgressLine } from "../cli/progress-line.ts";
import { createStyle } from "../text/style.ts";
import { doctorSpec } from "./doctor-spec.ts";
import { examine } from "./examine.ts";
import { reportAsText } from "./report-text.ts";
import { jsonText } from "../text/json-text.ts";

const defaultTimeout = 60_000;

export const run: RunCommand = async (args, streams) => {
  const { values, positionals, rest } = parseOptions(args, doctorSpec.options);
  const [name] = positionals;
  if ([name, values.agent, rest].filter((given) => given !== undefined).length > 1)
    throw new CommandLineError("More than one agent is given. Use a name, or a command after --");
  const timeout = millisecondsOf(doctorSpec.options, "timeout", values.timeout) ?? defaultTimeout;
  const cwd = directoryOf(values.cwd);
  const selection = selectOne(values, positionals, rest, cwd);
  const wanted = setupOf(values, cwd);
  const launch = await resolveAgent(selection, streams);
  const setup = await resolveSetup(launch, wanted, streams);
  const { output, env } = streams;
  const progress = createProgressLine(streams, !values.json);
  const interrupt = new AbortController();
  const stop = (): void => interrupt.abort();
  process.on("SIGINT", stop);
  try {
    const report = await examine({
      ...launchSettings(values, launch),
      setup,
      launch,
      cwd,
      env,
      timeout,
      prompt: values.prompt,
      trace: values.trace,
      html: values.html,
      withSecrets: values["with-secrets"],
      interrupt: interrupt.signal,
      progress: progress.show,
    });
    progress.clear();
    const text = values.json
      ? `${jsonText(report, 2)}\n`
      : reportAsText(report, createStyle(output.isTTY === true, env));
    output.write(text);
    return report.exitCode;
  } catch (cause) {
    progress.clear();
    if (interrupt.signal.aborted) return ExitCode.cancelled;
    throw cause;
  } finally {
    process.off("SIGINT", stop);
  }
};
