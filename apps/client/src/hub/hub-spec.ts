import type { CommandSpec } from "../cli/command.ts";
import { agentOptions, helpOption, permissionOptions, startOptions } from "../cli/shared-options.ts";

const folder = {
  folder: {
    value: "<dir>",
    help: "Where the sessions are kept, and the socket is. Default: a folder of acp",
    completes: "directory",
  },
} as const;
const json = { json: { help: "Print JSON" } } as const;

export const listHubSpec = {
  name: "hub ls",
  summary: "List the sessions of the hub",
  usage: ["[options]"],
  options: { ...json, ...folder, ...helpOption },
} as const satisfies CommandSpec;

export const stopHubSpec = {
  name: "hub stop",
  summary: "End the agent of a session; the next prompt opens it again",
  usage: ["<session> [options]"],
  options: { ...folder, ...helpOption },
} as const satisfies CommandSpec;

export const deleteHubSpec = {
  name: "hub delete",
  summary: "End the agent of a session, and forget the session",
  usage: ["<session> [options]"],
  options: { ...folder, ...helpOption },
} as const satisfies CommandSpec;

export const hubSpec = {
  name: "hub",
  summary: "Keep sessions that outlive their clients, for several clients each",
  usage: ["[options]", "<command> [options]"],
  about: `Serves the programs of this user, through acp attach and acp --hub. A session goes on while nobody is there: its turn ends, its questions wait, and who comes sees everything. Each session has a process of its own, which goes on when the hub ends. acp attach starts a hub by itself where none runs.`,
  options: {
    idle: {
      value: "<minutes>",
      help: "End the agent of a session after nobody has used it for so long. Default: 30",
    },
    ...permissionOptions,
    ...folder,
    verbose: agentOptions.verbose,
    ...helpOption,
  },
  commands: [listHubSpec, stopHubSpec, deleteHubSpec],
  notes: `What the options allow, agents may do without a question to anybody. Only this user can reach the hub.
Ctrl-C ends the hub, and not the agents: the next hub finds them.`,
} as const satisfies CommandSpec;

export const attachSpec = {
  name: "attach",
  summary: "Be an agent whose sessions are those of the hub: for editors",
  usage: ["[options] <agent>", "[options] -- <agent command> [args…]"],
  about: `Speaks ACP on stdin and stdout. In an editor, let this be the command of the agent: { "command": "acp", "args": ["attach", "codex"] }. Starts a hub if none runs, and comes back to it after a break.`,
  options: {
    ...startOptions,
    name: { value: "<name>", help: "The name under which the hub lists the sessions. Default: that of the agent" },
    ...folder,
    ...helpOption,
  },
  completes: "agent",
} as const satisfies CommandSpec;
