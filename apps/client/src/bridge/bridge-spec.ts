import type { CommandSpec } from "../cli/command.ts";
import { helpOption, startOptions } from "../cli/shared-options.ts";

export const bridgeSpec = {
  name: "bridge",
  summary: "Let an agent work with editors of the other version of ACP",
  usage: ["[options] -- <agent command> [args…]", "[options] --agent <name>"],
  about: `Runs between an editor and an agent: configure it in the editor instead of the agent's command. It starts the agent and serves editors of version 1 and of version 2. If the agent speaks the version of the editor, everything passes unchanged.
An editor of version 2 has no files and terminals for its agent. For an agent of version 1 that wants them, acp reads and writes the files of the session's folders and runs commands, without asking.`,
  options: { ...startOptions, ...helpOption },
  notes: `Exit codes:
    0  the editor has ended
    2  wrong options
    6  the agent cannot be started, or it ended by itself
   11  wrong configuration`,
} as const satisfies CommandSpec;
