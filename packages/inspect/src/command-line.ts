import { existsSync } from "node:fs";
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
  /** Nothing that looks like a secret is left out. */
  readonly withSecrets: boolean;
}

/** A program to start, or a server to connect with over HTTP. */
export type AgentPlace =
  | { readonly command: string; readonly args: readonly string[] }
  | { readonly url: string; readonly headers: Readonly<Record<string, string>> };

export interface TapSettings extends LogSettings {
  readonly agent: AgentPlace;
  /** The file that the messages are recorded to. */
  readonly record: string | undefined;
  readonly framing: Framing;
}

/** The command line cannot be understood; the message says why. */
export class CommandLineError extends Error {}

export const usage = `Usage: acp-inspect [options] -- <agent command> [args…]
       acp-inspect [options] <URL>
       acp-inspect [options] <recording>

Stands between an editor and an ACP agent: configure it in the editor in place of the agent's command. It starts
the agent, passes everything on as it is, and writes what passes to a log: each message on a line, and what is
wrong with it by the letter of the protocol.
With a URL of HTTP instead of a command, the agent is the one that is served there.
With a recording, it writes the same about that.

Options:
  -l, --log <file>      Where the log goes; it is appended. Default: stderr, or stdout for a recording
  -r, --record <file>   Record the messages as well, into a new file: to replay them, or to read them again
      --full            Show messages whole. Default: the first 160 characters
      --stable          What is unstable in the protocol counts as wrong
      --framing <name>  How messages are framed: ndjson (default) or content-length
  -H, --header <header> For a URL, "Name: value": a header of every request. May be repeated
      --with-secrets    Leave in what looks like a password or a token
  -h, --help            Show this

Exit codes: that of the agent (128 and more for a signal; 127 if it cannot be started), 2 wrong options.
For a URL 1 if the connection has failed, else 0.
For a recording 1 if something is wrong with it, else 0.
`;

const options = {
  log: { type: "string", short: "l" },
  record: { type: "string", short: "r" },
  full: { type: "boolean", default: false },
  stable: { type: "boolean", default: false },
  framing: { type: "string" },
  header: { type: "string", short: "H", multiple: true },
  "with-secrets": { type: "boolean", default: false },
  help: { type: "boolean", short: "h", default: false },
} as const;

/** @throws {CommandLineError} */
export function parseCommandLine(
  given: readonly string[],
  isBun: boolean = process.versions["bun"] !== undefined,
): CommandLine {
  const args = isBun ? withDashes(given) : given;
  const end = args.indexOf("--");
  const { values, positionals } = parse(end < 0 ? args : args.slice(0, end));
  if (values.help) return { kind: "help" };
  const { log, full: isFull, stable, "with-secrets": withSecrets } = values;
  const settings = { log, isFull, stable, withSecrets };
  const [place, surplus] = positionals;
  const [command, ...rest] = end < 0 ? [] : args.slice(end + 1);
  const behind = "The agent's command comes after --";
  if (end < 0 ? surplus !== undefined : place !== undefined) {
    throw new CommandLineError(`What is '${end < 0 ? surplus : place}'? ${behind}`);
  }
  const { record, header = [], framing: name } = values;
  const isUrl = place !== undefined && /^https?:/u.test(place);
  if (place !== undefined && !isUrl) {
    refuse({ "--record": record, "--framing": name, "--header": header[0] }, "is for agents, not for recordings");
    return { kind: "read", recording: place, ...settings };
  }
  if (!isUrl) refuse({ "--header": header[0] }, "is for URLs");
  const framing = [ndjson, contentLength].find((known) => known.name === (name ?? "ndjson"));
  if (framing === undefined) throw new CommandLineError(`There is no framing '${name}'`);
  const tap = { kind: "tap", ...settings, record, framing } as const;
  if (isUrl) return { ...tap, agent: { url: place, headers: headersIn(header) } };
  if (command === undefined) throw new CommandLineError("Which agent? Its command comes after --");
  return { ...tap, agent: { command, args: rest } };
}

/** Bun keeps a `--` that comes first to itself: what begins with no option is a command then, unless it is a place. */
function withDashes(args: readonly string[]): readonly string[] {
  const [first = "-"] = args;
  const isPlace = /^https?:/u.test(first) || (args.length === 1 && existsSync(first));
  return first.startsWith("-") || args.includes("--") || isPlace ? args : ["--", ...args];
}

/** @throws {CommandLineError} for an option that is given, and of no use. */
function refuse(given: Readonly<Record<string, string | undefined>>, why: string): void {
  const useless = Object.keys(given).find((name) => given[name] !== undefined);
  if (useless !== undefined) throw new CommandLineError(`${useless} ${why}`);
}

/** @throws {CommandLineError} for one without a name. Its value is a secret mostly, and not shown. */
function headersIn(lines: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    lines.map((line) => {
      const [, name, value] = /^\s*([^\s:]+)\s*:\s*(.*?)\s*$/u.exec(line) ?? [];
      if (name === undefined || value === undefined) throw new CommandLineError('A --header is "Name: value"');
      return [name, value];
    }),
  );
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
