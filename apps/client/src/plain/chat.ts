import { type Command, helpOf } from "../cli/command.ts";
import { ExitCode } from "../cli/exit-code.ts";
import { chatSpec, parseCommandLine } from "./command-line.ts";
import { runClient } from "./run-client.ts";

/** `acp` without the name of a command. */
export const chat: Command = {
  spec: chatSpec,
  async run(args, streams) {
    const options = parseCommandLine(args);
    if (options.kind === "run") return runClient(options, streams);
    streams.output.write(helpOf(chatSpec));
    return ExitCode.endTurn;
  },
};
