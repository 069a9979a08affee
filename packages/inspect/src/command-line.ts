import { parseArgs } from "node:util";

import { contentLength, type Framing, ndjson } from "@acp/framing";

/** What the command line asks for. */
export type CommandLine =
  | { readonly kind: "help" }
  | ({ readonly kind: "read"; readonly recording: string } & LogSettings)
  | ({ readonly kind: "tap" } & TapSettings);

export interface LogSettings {
  /** The file that the log goes to; `undefined` for the terminal. */
  readonly log: string | undefined;
  /** Shows messages whole. */
  readonly isFull: boolean;
  /** Whether what is unstable is wrong. */
  readonly stable: boolean;
}

export interface TapSettings extends LogSettings {
  readonly agent: { readonly command: string; readonly args: readonly string[] };
  /** The file that the messages are recorded to. */
  readonly record: string | undefined;
  readonly framing: Framing;
  /** Neither the log nor the recording leaves out what looks like a secret. */
  readonly withSecrets: boolean;
}

/** The command line cannot be understood; the message says why. */
export class CommandLineError extends Error {}

export const usage = `Usage: acp-inspect [options] -- <agent command> [args…]
       acp-inspect [options] <recording>

Stands between an editor and an ACP agent: configure it in the editor in place of the agent's command. It starts
the agent, passes everything on as it is, and writes what passes to a log: each message on a line, and what is
wrong with it by the letter of the protocol.
With a recording instead of a command, it writes the same about that.

Options:
  -l, --log <file>      Where the log goes; it is appended. Default: stderr, or stdout for a recording
  -r, --record <file>   Record the messages as well: to replay them, or to read them with acp-inspect
      --full            Show messages whole. Default: the first 160 characters
      --stable          What is unstable in the protocol counts as wrong
      --framing <name>  How messages are framed: ndjson (default) or content-length
      --with-secrets    Leave in what looks like a password or a token
  -h, --help            Show this

Exit codes: that of the agent (128 and more for a signal; 127 if it cannot be started), 2 wrong options.
For a recording 1 if something is wrong with it, else 0.
`;

const options = {
  log: { type: "string", short: "l" },
  record: { type: "string", short: "r" },
  full: { type: "boolean", default: false },
  stable: { type: "boolean", default: false },
  framing: { type: "string" },
  "with-secrets": { type: "boolean", default: false },
  help: { type: "boolean", short: "h", default: false },
} as const;

/** @throws {CommandLineError} */
export function parseCommandLine(given: readonly string[]): CommandLine {
  // Bun keeps a `--` that comes first to itself.
  const isTaken = given.length > 1 && !given.includes("--") && given.slice(0, 2).every((arg) => !arg.startsWith("-"));
  const args = isTaken ? ["--", ...given] : given;
  const end = args.indexOf("--");
  const { values, positionals } = parse(end < 0 ? args : args.slice(0, end));
  if (values.help) return { kind: "help" };
  const { log, record, stable, full: isFull, "with-secrets": withSecrets } = values;
  const [recording, surplus] = positionals;
  if (end < 0) {
    if (recording === undefined) throw new CommandLineError("Which agent? Its command comes after --");
    if (surplus !== undefined) throw new CommandLineError(`What is '${surplus}'? The agent's command comes after --`);
    const useless = Object.entries({ "--record": record, "--framing": values.framing }).find(([, value]) => value);
    if (useless !== undefined) throw new CommandLineError(`${useless[0]} is for agents, not for recordings`);
    return { kind: "read", recording, log, isFull, stable };
  }
  if (recording !== undefined) throw new CommandLineError(`What is '${recording}'? The agent's command comes after --`);
  const [command, ...rest] = args.slice(end + 1);
  if (command === undefined) throw new CommandLineError("Which agent? Its command comes after --");
  const framing = [ndjson, contentLength].find(({ name }) => name === (values.framing ?? "ndjson"));
  if (framing === undefined) throw new CommandLineError(`There is no framing '${values.framing}'`);
  return { kind: "tap", agent: { command, args: rest }, log, isFull, stable, record, framing, withSecrets };
}

function parse(
  args: readonly string[],
): ReturnType<typeof parseArgs<{ options: typeof options; allowPositionals: true }>> {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true });
  } catch (error) {
    throw new CommandLineError(error instanceof Error ? error.message : String(error), { cause: error });
  }
}
