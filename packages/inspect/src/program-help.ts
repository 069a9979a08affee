/**
 * What the help of `acp-inspect` says, for programs that have it as a command. It is for the packages of this repository, and
 * outside of semantic versioning.
 *
 * @module
 */

/** The options, and what the help says of them. */
export const options = {
  log: {
    type: "string",
    short: "l",
    value: "<file>",
    help: "Append the log to this file. Default: stderr, or stdout for a recording",
  },
  record: {
    type: "string",
    short: "r",
    value: "<file>",
    help: "Also record the messages to a new file, to replay or inspect them later",
  },
  out: {
    type: "string",
    short: "o",
    value: "<file>",
    help: "For a recording: make this HTML file of it instead, which opens in a browser without a network",
  },
  compare: {
    type: "string",
    short: "c",
    value: "<file>",
    help: "For a recording: print how this other recording differs from it, or make a page of both with --out",
  },
  "without-text": { type: "boolean", help: "For --out: replace texts by their lengths, for a bug report" },
  web: { type: "boolean", help: "Also serve the messages as a page on this machine: its address is on stderr" },
  full: { type: "boolean", help: "Show messages in full. Default: the first 160 characters" },
  stable: { type: "boolean", help: "Report unstable parts of the protocol as violations" },
  framing: {
    type: "string",
    value: "<name>",
    help: "How messages are framed: ndjson (default) or content-length",
  },
  header: {
    type: "string",
    short: "H",
    multiple: true,
    value: "<header>",
    help: 'For a URL: add the header "Name: value" to every request. May be repeated',
  },
  "with-secrets": { type: "boolean", help: "Show passwords and tokens instead of redacting them" },
  help: { type: "boolean", short: "h", help: "Show this help" },
} as const;

/** What the program does. */
export const about = `Runs between an editor and an ACP agent: configure it in the editor instead of the agent's command. It starts the
agent, passes everything on unchanged, and writes a log: one line for each message, and one for each violation of
the protocol.
With an HTTP URL instead of a command, it connects to the agent that is served there.
With a recording, it writes the same log about its messages, or makes a page of them with --out. With --compare, it does so
with what differs between two recordings.`;

/** How the program ends. */
export const notes = `Exit codes: that of the agent (128 and above for a signal; 127 if it cannot be started).
For a URL: 1 if the connection failed, else 0.
For a recording: 1 if it has a violation or cannot be read, else 0. With --compare: 1 if the recordings differ, else 0.
2 for wrong options, and for a log that cannot be written.`;

/** The whole help of the program with this name. */
export function usageOf(program: string): string {
  const lines = Object.entries(options).map(([name, option]) => {
    const { short, value, help }: { short?: string; value?: string; help: string } = option;
    const head = `${short === undefined ? "    " : `-${short}, `}--${name}${value === undefined ? "" : ` ${value}`}`;
    return `  ${head.padEnd(21)} ${help}`;
  });
  return `Usage: ${program} [options] -- <agent command> [args…]
       ${program} [options] <URL>
       ${program} [options] <recording> [--compare <recording>]

${about}

Options:
${lines.join("\n")}

${notes}
`;
}
