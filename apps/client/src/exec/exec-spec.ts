import type { CommandSpec } from "../cli/command.ts";
import { agentOptions, exitCodes, helpOption, permissionOptions } from "../cli/shared-options.ts";

const { allow: _allow, yes: _yes, ...ruleOptions } = permissionOptions;

/** What answers permission requests. */
export const policies = ["deny", "read", "edit", "all", "yes"] as const;

/** `acp exec`. */
export const execSpec = {
  name: "exec",
  summary: "Run one prompt without a user, for scripts",
  usage: ['[options] "prompt"', '[options] "prompt" -- <agent command> [args…]', "[options] - < prompt.md"],
  about: `Starts an agent, sends it one prompt, and prints its answer to stdout; everything else goes to stderr.
The prompt is the argument, then --file, then what is on stdin, if that is no terminal. If nothing comes from stdin for three
seconds, the prompt is sent without it; the argument - waits for it.`,
  options: {
    format: {
      type: "string",
      value: "<name>",
      help: "text (default): the answer as it comes, and on stderr what the agent does\njson: one event a line; quiet: only the last message of the answer",
      choices: ["text", "json", "quiet"],
    },
    policy: {
      type: "string",
      value: "<name>",
      help: "What the agent may do: deny (default) nothing that it asks for; read: read and search; edit: also edit in --cwd; all: everything; yes: all, for the session",
      choices: policies,
    },
    ...ruleOptions,
    timeout: {
      type: "string",
      value: "<seconds>",
      help: "Cancel the turn after this time, and end with exit code 8",
    },
    session: {
      type: "string",
      value: "<name>",
      help: "Go on in the session of this name, or start it; see acp sessions",
      completes: "session",
    },
    file: { type: "string", value: "<path>", help: "Read the prompt from a file", completes: "file" },
    attach: {
      type: "string",
      value: "<path>",
      multiple: true,
      help: "Send a file with the prompt: an image, a sound or a text",
      completes: "file",
    },
    mode: { type: "string", value: "<id>", help: "Select this session mode first" },
    model: { type: "string", value: "<id>", help: "Select this model first" },
    ...agentOptions,
    ...helpOption,
  },
  notes: `Nobody is there to ask: a login, a form or a permission that no option gives is refused.
Ctrl-C cancels the turn, a second one ends the agent.

${exitCodes}`,
} as const satisfies CommandSpec;
