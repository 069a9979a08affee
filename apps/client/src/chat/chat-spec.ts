import type { CommandSpec } from "../cli/command.ts";
import { exitCodes, helpOption, runOptions } from "../cli/shared-options.ts";

/** What `acp` does without the name of a command. */
export const chatSpec = {
  name: "",
  summary: "Talk to an agent",
  usage: ["[options] <agent>", "[options] -- <agent command> [args…]", "<command> [options]"],
  about: `Starts an ACP agent, sends it prompts, and shows what it does.
Without --prompt it asks for prompts on a terminal; otherwise it reads one prompt from stdin.`,
  options: {
    prompt: { short: "p", value: "<text>", help: "The only prompt" },
    interactive: {
      short: "i",
      help: "Read prompts line by line, even if stdin is no terminal",
    },
    plain: { help: "Print lines, without the user interface for terminals" },
    continue: {
      short: "c",
      help: "Continue the last session of this directory, or of this agent in it",
    },
    load: {
      value: "<id>",
      help: "Go on in the session with this id of the agent, and show its history",
    },
    ...runOptions,
    version: { short: "V", help: "Print the version of acp and of its runtime" },
    ...helpOption,
  },
  notes: `With --policy, --allow-read, --allow-edit or --allow-command, the client asks you before every other command or file, even if
the agent does not ask.

Ctrl-C cancels the turn, a second Ctrl-C quits, a third one ends an agent that does not end by itself.
At the prompt, /help lists commands; /quit, /exit and Ctrl-D quit.

${exitCodes}`,
  completes: "agent",
} as const satisfies CommandSpec;

/**
 * The arguments with the `--` before an agent's command that Bun takes away from the beginning: a path, or a word that another
 * word follows, is a command and no name.
 */
export function withSeparator(args: readonly string[]): readonly string[] {
  const [first = "", second = "-"] = args;
  const isLost = process.versions["bun"] !== undefined && !first.startsWith("-") && !args.includes("--");
  return isLost && (/[/\\]/u.test(first) || !second.startsWith("-")) ? ["--", ...args] : args;
}
