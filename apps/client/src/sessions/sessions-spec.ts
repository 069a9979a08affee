import type { CommandSpec } from "../cli/command.ts";
import { agentOptions, helpOption } from "../cli/shared-options.ts";

const { cwd } = agentOptions;
const json = { json: { help: "Print JSON" } } as const;

export const listSpec = {
  name: "sessions list",
  summary: "List the sessions of a directory (default)",
  usage: ["[options]", "[options] -- <agent command> [args…]"],
  about:
    "Lists the sessions that acp remembers. With an agent, it starts the agent, and lists its own sessions as well.",
  options: {
    all: { help: "List those of all directories" },
    names: { help: "Print the names only, one a line" },
    ...json,
    ...agentOptions,
    ...helpOption,
  },
} as const satisfies CommandSpec;

export const showSpec = {
  name: "sessions show",
  summary: "Show a session and its runs",
  usage: ["<name> [--cwd <dir>]"],
  options: { ...json, cwd, ...helpOption },
  completes: "session",
} as const satisfies CommandSpec;

export const exportSpec = {
  name: "sessions export",
  summary: "Print what was said and done in a session",
  usage: ["<name> [options] > session.md"],
  options: {
    format: {
      value: "<name>",
      help: "markdown (default): to read; json: the events of acp exec, one a line",
      choices: ["markdown", "json"],
    },
    cwd,
    ...helpOption,
  },
  completes: "session",
} as const satisfies CommandSpec;

export const deleteSpec = {
  name: "sessions delete",
  summary: "Delete a session, also at the agent if it can",
  usage: ["<name> [options]"],
  options: {
    local: { help: "Only forget it here, without starting the agent" },
    "start-timeout": agentOptions["start-timeout"],
    "trust-project": agentOptions["trust-project"],
    registry: agentOptions.registry,
    cwd,
    ...helpOption,
  },
  completes: "session",
} as const satisfies CommandSpec;

export const sessionsSpec: CommandSpec = {
  name: "sessions",
  summary: "List, show, export and delete the sessions that acp remembers",
  usage: ["[list] [options]", "show <name>", "export <name> [options]", "delete <name>"],
  about:
    "A name belongs to the directory in which it was first used: the same name elsewhere is another session. Sessions of the user interface get a short name.",
  options: listSpec.options,
  commands: [listSpec, showSpec, exportSpec, deleteSpec],
};
