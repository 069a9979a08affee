import type { RunCommand } from "../cli/command.ts";
import { parseExec } from "./exec-options.ts";
import { ExecRun } from "./exec-run.ts";
import { NamedRun } from "../sessions/named-run.ts";
import { ErrorLines } from "../protocol/error-lines.ts";
import { linesOutput } from "./output/exec-output.ts";
import { TextOutput } from "./output/text-output.ts";
import { RunControl } from "./run-control.ts";

export const run: RunCommand = async (args, streams) => {
  const options = parseExec(args);
  let named: NamedRun | undefined;
  const control = new RunControl(streams, options.timeout);
  // A log that nobody reads any more must not end the run.
  streams.error.on("error", () => {});
  const errors = new ErrorLines(streams, options.withSecrets);
  try {
    const { format } = options;
    const output = format === "text" ? new TextOutput(streams, errors) : linesOutput(format, streams, errors);
    return await new ExecRun(options, {
      streams,
      control,
      output,
      errors,
      openNamed: (name) => (named = new NamedRun(name, options.cwd, streams.env)),
    }).run();
  } finally {
    // A stdin that is open and idle must not keep this program alive.
    streams.input.pause();
    named?.close();
    control.close();
  }
};
