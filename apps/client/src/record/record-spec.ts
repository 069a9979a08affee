import type { CommandSpec } from "../cli/command.ts";
import { helpOption, startOptions } from "../cli/shared-options.ts";

export const recordSpec = {
  name: "record",
  summary: "Record the messages between an editor and an agent",
  usage: ["[options] <file> -- <agent command> [args…]", "[options] <file> --agent <name>"],
  about: `Runs between an editor and an agent: configure it in the editor instead of the agent's command. It starts the agent, passes everything on unchanged, and writes each message to a new file. acp replay plays the recording, acp inspect shows it.`,
  options: {
    ...startOptions,
    "with-secrets": { help: "Keep passwords and tokens in the recording" },
    ...helpOption,
  },
  notes: "The exit code is that of the agent: 128 and above for a signal, 127 if it cannot be started.",
  completes: "file",
} as const satisfies CommandSpec;
