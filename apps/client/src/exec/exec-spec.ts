import type { CommandSpec } from "../cli/command.ts";
import { exitCodes, helpOption, runOptions } from "../cli/shared-options.ts";

export const execSpec = {
  name: "exec",
  summary: "Run one prompt without a user, for scripts",
  usage: ['[options] "prompt"', '[options] "prompt" -- <agent command> [args…]', "[options] - < prompt.md"],
  about: `Starts an agent, sends it one prompt, and prints its answer to stdout; everything else goes to stderr.
The prompt is the argument, then --file, then what is on stdin, if that is no terminal. If nothing comes from stdin for three
seconds, the prompt is sent without it; the argument - waits for it.`,
  options: {
    format: {
      value: "<name>",
      help: "text (default): the answer as it comes, and on stderr what the agent does\njson: one event a line; quiet: only the last message of the answer",
      choices: ["text", "json", "quiet"],
    },
    file: { value: "<path>", help: "Read the prompt from a file; - is stdin", completes: "file" },
    ...runOptions,
    ...helpOption,
  },
  notes: `Nobody is there to ask: a login, a form or a permission that no option gives is refused.
Ctrl-C cancels the turn, a second one ends the agent.

${exitCodes}`,
} as const satisfies CommandSpec;
