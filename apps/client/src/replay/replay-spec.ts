import type { CommandSpec } from "../cli/command.ts";
import { helpOption, startOptions } from "../cli/shared-options.ts";

export const replaySpec = {
  name: "replay",
  summary: "Play a recording: as the agent, or as the client of a real agent",
  usage: ["[options] <file>", "[options] <file> --as-client -- <agent command> [args…]"],
  about: `Plays the agent of a recording on stdin and stdout: start it as an agent, such as acp -- acp replay session.jsonl. It says what the agent once said, and waits for what the client sent.
With --as-client it starts an agent, sends it what the client once sent, and prints what the agent says differently this time. It writes no files and runs no commands: it answers what the client answered.`,
  options: {
    "as-client": { help: "Play the client to the agent behind --, and compare" },
    "only-kinds": {
      help: "Compare the kinds of messages, not what they say: for an agent whose model answers differently each time",
    },
    speed: {
      value: "<n>",
      help: "1 takes as long as the recording took, 10 a tenth of it. Default: no pauses",
    },
    patience: {
      value: "<seconds>",
      help: "How long to wait for a message of the recording that does not come. Default: as the agent for ever, as the client 60",
    },
    ...startOptions,
    ...helpOption,
  },
  notes: `Exit codes:
    0  the replay came to its end; with --as-client, the agent said the same
    1  the agent said something else, the replay got stuck, or the file is no recording of a connection
    2  wrong options
    6  the agent cannot be started
   11  wrong configuration`,
  completes: "file",
} as const satisfies CommandSpec;
