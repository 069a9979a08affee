import { type Command, helpOf } from "../cli/command.ts";
import { ExitCode } from "../cli/exit-code.ts";
import { chatSpec, parseCommandLine } from "./command-line.ts";
import { runClient } from "./run-client.ts";

/** `acp` without the name of a command. */
export const chat: Command = {
  spec: chatSpec,
  async run(args, streams) {
    const line = parseCommandLine(args);
    if (line.kind === "run") {
      const { resolveAgent } = await import("../agents/resolve-agent.ts");
      return runClient(line.optionsFor(await resolveAgent(line.selection, streams)), streams);
    }
    streams.output.write(helpOf(chatSpec));
    return ExitCode.endTurn;
  },
};
