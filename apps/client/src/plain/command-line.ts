import { statSync } from "node:fs";
import { resolve } from "node:path";
import { parseArgs } from "node:util";

import { contentLength, type Framing, ndjson } from "@acp/framing";

import type { PermissionRule } from "#runtime";

import type { PermissionPolicy } from "../protocol/permission/policy.ts";
import { rulesOf } from "../protocol/permission/rules.ts";

/** The parsed command line. */
export type CommandLine = { readonly kind: "help" } | ({ readonly kind: "run" } & RunOptions);

export interface RunOptions {
  /** The agent's program and its arguments. */
  readonly agent: { readonly command: string; readonly args: readonly string[] };
  /** The session's directory; absolute. */
  readonly cwd: string;
  readonly framing: Framing;
  /** The protocol version to offer; agents may choose an older one. */
  readonly protocol: 1 | 2;
  /** The only prompt of this run; `undefined` to read one or more prompts. */
  readonly prompt: string | undefined;
  /** Read one prompt per line, even if stdin is no terminal. */
  readonly interactive: boolean;
  readonly permission: PermissionPolicy;
  /** What is allowed without asking. Any rule also makes the client check commands and files that the agent does not ask about. */
  readonly rules: readonly PermissionRule[];
  /** The mode to select first. */
  readonly mode: string | undefined;
  /** The session to load instead of opening a new one. */
  readonly load: string | undefined;
  /** The login method to call first. */
  readonly login: string | undefined;
  /** Whether to print diagnostics and the agent's stderr. */
  readonly verbose: boolean;
  /** The file that receives all messages. */
  readonly trace: string | undefined;
  /** Whether the trace and what `--verbose` prints contain passwords and tokens. */
  readonly withSecrets: boolean;
}

/** The command line is wrong; the message says why. */
export class CommandLineError extends Error {}

export const usage = `Usage: acp-client [options] [--prompt <text>] -- <agent command> [args…]

Starts an ACP agent, sends it a prompt, and prints what it does.
Without --prompt it asks for prompts on a terminal; otherwise it reads one prompt from stdin.

Options:
  -p, --prompt <text>   The prompt
  -i, --interactive     Read prompts line by line, even if stdin is no terminal
      --cwd <dir>       The directory to work in. Default: this one
      --allow           Allow what the agent asks permission for, each time once
      --yes             Allow it for the whole session where the agent offers that option option
                        Default: ask on a terminal; reject if there is none
      --allow-read <path>     Allow reading below this folder
      --allow-edit <path>     Allow reading and editing below this folder
      --allow-command <line>  Allow this command, with exactly these arguments, in --cwd
                        You can repeat each of the three. With any of them, the client asks you
                        before every other command or file, even if the agent does not ask
      --mode <id>       Select this session mode first
      --load <id>       Continue an earlier session, and show its history
      --login <id>      Log in with this method first
      --protocol <n>    The version of ACP: 1 (default), or 2 (a draft) if the agent supports it
      --framing <name>  How messages are framed: ndjson (default) or content-length
      --verbose         Print diagnostics and the agent's stderr to stderr
      --trace <file>    Write every message to a file, one line of JSON each
      --with-secrets    Show passwords and tokens in --verbose and --trace instead of redacting them
  -h, --help            Show this help

Ctrl-C cancels the turn, a second Ctrl-C quits, a third one ends an agent that does not end by itself.
At the prompt, /help lists commands; /quit and Ctrl-D quit.

Exit codes: 0 the turn ended, 1 something failed, 2 wrong options, 3 refusal,
            4 max_tokens, 5 max_turn_requests, 130 cancelled
`;

const options = {
  prompt: { type: "string", short: "p" },
  interactive: { type: "boolean", short: "i", default: false },
  cwd: { type: "string", default: "." },
  allow: { type: "boolean", default: false },
  yes: { type: "boolean", default: false },
  "allow-read": { type: "string", multiple: true },
  "allow-edit": { type: "string", multiple: true },
  "allow-command": { type: "string", multiple: true },
  mode: { type: "string" },
  load: { type: "string" },
  login: { type: "string" },
  protocol: { type: "string", default: "1" },
  framing: { type: "string", default: "ndjson" },
  verbose: { type: "boolean", default: false },
  trace: { type: "string" },
  "with-secrets": { type: "boolean", default: false },
  help: { type: "boolean", short: "h", default: false },
} as const;

/** @throws {CommandLineError} */
export function parseCommandLine(argv: readonly string[]): CommandLine {
  // Bun removes a leading `--`.
  const hasLostSeparator = argv[0]?.startsWith("-") === false && !argv.includes("--");
  const args = hasLostSeparator ? ["--", ...argv] : argv;
  const end = args.indexOf("--");
  const { values, positionals } = parse(end < 0 ? args : args.slice(0, end));
  if (values.help) return { kind: "help" };
  if (positionals.length > 0)
    throw new CommandLineError(`Unexpected argument '${positionals[0]}'. Write the agent's command after --`);
  const [command, ...rest] = end < 0 ? [] : args.slice(end + 1);
  if (command === undefined) throw new CommandLineError("The agent's command is missing. Write it after --");
  const framing = [ndjson, contentLength].find(({ name }) => name === values.framing);
  if (framing === undefined)
    throw new CommandLineError(`Unknown framing '${values.framing}'. Use ndjson or content-length`);
  if (values.protocol !== "1" && values.protocol !== "2")
    throw new CommandLineError(`Unknown protocol version '${values.protocol}'. Use 1 or 2`);
  const { prompt, interactive, mode, load, login, verbose, trace } = values;
  if (interactive && prompt !== undefined)
    throw new CommandLineError("--prompt and --interactive cannot be combined. Use one of them");
  const cwd = resolve(values.cwd);
  if (!isDirectory(cwd)) throw new CommandLineError(`--cwd is not a directory: ${cwd}`);
  const { "allow-read": read = [], "allow-edit": edit = [], "allow-command": commands = [] } = values;
  if (commands.includes("")) throw new CommandLineError('--allow-command needs a command, such as "npm test"');
  const rules = rulesOf({ read, edit, commands, cwd });
  if (rules.length > 0 && (values.allow || values.yes))
    throw new CommandLineError(
      "--allow and --yes allow everything. Remove them, or remove --allow-read, --allow-edit and --allow-command",
    );
  return {
    kind: "run",
    agent: { command, args: rest },
    cwd,
    framing,
    protocol: values.protocol === "2" ? 2 : 1,
    prompt,
    interactive,
    permission: values.yes ? "yes" : values.allow ? "allow" : "ask",
    rules,
    mode,
    load,
    login,
    verbose,
    trace,
    withSecrets: values["with-secrets"],
  };
}

function isDirectory(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
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
