import type { CommandSpec } from "../cli/command.ts";
import { serveSpec } from "../serve/serve-spec.ts";
import { agentOptions, helpOption, permissionOptions, startOptions } from "../cli/shared-options.ts";

const folder = {
  folder: {
    value: "<dir>",
    help: "Where the sessions are kept, and the socket is. Default: a folder of acp",
    completes: "directory",
  },
} as const;
const place = {
  ...folder,
  journal: {
    value: "<url>",
    help: "Keep the sessions in PostgreSQL or Redis, for hubs on many machines: postgres://… or redis://… Default: the variable ACP_JOURNAL, which other users cannot see, or files",
  },
} as const;
const force = { force: { help: "Kill the process that keeps the session, such as one that does not answer" } } as const;
const json = { json: { help: "Print JSON" } } as const;

export const listHubSpec = {
  name: "hub ls",
  summary: "List the sessions of the hub",
  usage: ["[options]"],
  options: { ...json, ...place, ...helpOption },
} as const satisfies CommandSpec;

export const showHubSpec = {
  name: "hub show",
  summary: "Show a session: its agent, its state, and the questions that wait",
  usage: ["<session> [options]"],
  options: { ...json, ...place, ...helpOption },
} as const satisfies CommandSpec;

export const logHubSpec = {
  name: "hub logs",
  summary: "Print all that happened in a session, a line each",
  usage: ["<session> [options]"],
  options: {
    follow: { help: "Go on with what happens from now on; Ctrl-C ends it" },
    json: { help: "Print the entries of the journal as JSON lines, with all that they say" },
    html: { value: "<file>", help: "Make a page of the session instead, for a browser", completes: "file" },
    ...place,
    ...helpOption,
  },
} as const satisfies CommandSpec;

export const compactHubSpec = {
  name: "hub compact",
  summary: "Shorten the journal of a session that nobody uses; it shows the same as before",
  usage: ["<session> [options]"],
  options: { ...place, ...helpOption },
} as const satisfies CommandSpec;

export const stopHubSpec = {
  name: "hub stop",
  summary: "End the agent of a session; the next prompt opens it again",
  usage: ["<session> [options]"],
  options: { ...force, ...place, ...helpOption },
} as const satisfies CommandSpec;

const deleteHubSpec = {
  name: "hub delete",
  summary: "End the agent of a session, and forget the session",
  usage: ["<session> [options]"],
  options: { ...force, ...place, ...helpOption },
} as const satisfies CommandSpec;

export const shareHubSpec = {
  name: "hub share",
  summary: "Let somebody else use a session, by a token for clients over HTTP",
  usage: ["<session> --watch|--answer|--control [options]", "<session> [--revoke <share>]"],
  about: "Prints the token. Without an option, lists the shares of the session.",
  options: {
    watch: { help: "They see everything" },
    answer: { help: "They also answer the agent's questions" },
    control: { help: "They also prompt, and can have the agent do whatever it can do" },
    hours: { value: "<n>", help: "How long the token counts", default: "168" },
    as: { value: "<name>", help: "How others see them. Default: guest" },
    revoke: { value: "<share>", help: "End a share, with its connections" },
    ...place,
    ...helpOption,
  },
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
    port: {
      value: "<n>",
      help: "Serve other programs, too, over HTTP and WebSockets, on this port; 0 takes one that is free",
    },
    host: serveSpec.options.host,
    token: serveSpec.options.token,
    origin: serveSpec.options.origin,
    "server-name": serveSpec.options["server-name"],
    ...permissionOptions,
    ...place,
    verbose: agentOptions.verbose,
    ...helpOption,
  },
  commands: [listHubSpec, showHubSpec, logHubSpec, shareHubSpec, stopHubSpec, compactHubSpec, deleteHubSpec],
  notes: `What the options allow, agents may do without a question to anybody. Without --port, only this user can reach the hub. With it, clients connect to /acp?agent=<name> with the token, as with acp serve, or to /acp with the token of acp hub share.
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
