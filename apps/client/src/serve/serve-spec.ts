import type { CommandSpec } from "../cli/command.ts";
import { agentOptions, helpOption, permissionOptions, startOptions } from "../cli/shared-options.ts";

const { policy: _policy, ...lendOptions } = permissionOptions;

export const serveSpec = {
  name: "serve",
  summary: "Serve an agent over HTTP and WebSockets, to pages and other machines",
  usage: ["[options] <agent>", "[options] -- <agent command> [args…]"],
  about: `Starts the agent once for each connection, and ends it with the connection. Open the address of the page that it prints to talk to the agent in a browser. Other clients connect to /acp: over Streamable HTTP, or by a WebSocket. They need the token: in the header "Authorization: Bearer <token>", as the parameter token of the URL, or, in a page, new WebSocket(url, ["acp", token]).`,
  options: {
    port: { value: "<n>", help: "The port; 0 takes one that is free", default: "8642" },
    host: {
      value: "<address>",
      help: "The address to listen on. Default: only this machine",
      default: "127.0.0.1",
    },
    token: {
      value: "<token>",
      help: "The token, of 16 characters or more. Default: the variable ACP_TOKEN, which other users cannot see, or a random one",
    },
    origin: {
      value: "<origin>",
      multiple: true,
      help: "Let pages of this origin connect, such as https://editor.example. Default: pages of this server's own address",
    },
    "server-name": {
      value: "<host>",
      multiple: true,
      help: "A host name by which clients reach this server, such as that of a proxy with TLS in front of it",
    },
    "max-connections": { value: "<n>", help: "How many agents may run at a time", default: "16" },
    files: {
      value: "<dir>",
      help: "Lend clients the files below this directory: agents read them, and ask the client before they write",
      completes: "directory",
    },
    terminals: {
      help: "Lend clients terminals of this machine: agents ask the client before each command",
    },
    ...lendOptions,
    ...startOptions,
    verbose: agentOptions.verbose,
    ...helpOption,
  },
  notes: `Whoever has the token can do what the agent can do: whatever you can. With --files or --terminals, --allow and the like say what is allowed without a question to the client; nothing allows more than that.
Messages are not encrypted: for other machines, put a proxy with TLS in front. Ctrl-C ends the server and its agents.`,
  completes: "agent",
} as const satisfies CommandSpec;
