import type { CommandSpec } from "../../cli/command.ts";
import { helpOption } from "../../cli/shared-options.ts";

const placeOptions = {
  cwd: {
    value: "<dir>",
    help: "Look for the project's configuration from here. Default: this directory",
    default: ".",
    completes: "directory",
  },
  registry: {
    value: "<file or URL>",
    help: "The registry. Default: that of the configuration, or the public one",
    completes: "file",
  },
  ...helpOption,
} as const;

const projectOption = {
  project: { help: "Change the project's .acp/config.json instead of yours" },
} as const;

export const listSpec = {
  name: "agents list",
  summary: "List the agents that can be started by name (default)",
  usage: ["[options]"],
  options: {
    json: { help: "Print one JSON object" },
    names: { help: "Print the names only, without asking the registry's server" },
    ...placeOptions,
  },
} as const satisfies CommandSpec;

export const addSpec = {
  name: "agents add",
  summary: "Add an agent to the configuration",
  usage: ["[options] <name> -- <command> [args…]", "[options] <name of the registry>"],
  options: {
    env: {
      value: "<name=value>",
      multiple: true,
      help: "Set this variable for the agent. Write '${NAME}' as the value to read it from your environment",
    },
    "no-check": { help: "Add it without starting it once" },
    "set-registry": { help: "Look up all other agents in --registry, too, from now on" },
    ...projectOption,
    ...placeOptions,
  },
} as const satisfies CommandSpec;

export const removeSpec = {
  name: "agents remove",
  summary: "Remove an agent from the configuration",
  usage: ["[options] <name>"],
  options: { ...projectOption, ...placeOptions },
  completes: "agent",
} as const satisfies CommandSpec;

export const defaultSpec = {
  name: "agents default",
  summary: "Choose the agent to start if none is named, or print it",
  usage: ["[options] [<name>]"],
  options: { ...projectOption, ...placeOptions },
  completes: "agent",
} as const satisfies CommandSpec;

export const agentsSpec = {
  name: "agents",
  summary: "List, add and remove agents",
  usage: ["[list] [options]", "add [options] <name> -- <command> [args…]", "remove <name>", "default [<name>]"],
  about: `An agent's name is looked up in the project's .acp/config.json, in your configuration, among the known programs on PATH, and
in the registry of ACP.`,
  options: listSpec.options,
  commands: [listSpec, addSpec, removeSpec, defaultSpec],
} as const satisfies CommandSpec;
