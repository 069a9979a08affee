import { statSync } from "node:fs";
import { resolve } from "node:path";
import { parseArgs } from "node:util";

import { contentLength, type Framing, ndjson } from "@acp/framing";

import type { PermissionRule } from "#runtime";

import type { PermissionPolicy } from "./permission/policy.ts";
import { rulesOf } from "./permission/rules.ts";

/** What the command line asks for. */
export type CommandLine = { readonly kind: "help" } | ({ readonly kind: "run" } & RunOptions);

export interface RunOptions {
  /** The program of the agent, and its arguments. */
  readonly agent: { readonly command: string; readonly args: readonly string[] };
  /** The session's directory; absolute. */
  readonly cwd: string;
  readonly framing: Framing;
  /** The version of the protocol to speak; an older one with agents that do not know it. */
  readonly protocol: 1 | 2;
  /** The one prompt of this run; `undefined` to read it, or several. */
  readonly prompt: string | undefined;
  /** Reads one prompt a line from an input that is no terminal. */
  readonly interactive: boolean;
  readonly permission: PermissionPolicy;
  /** What is allowed without asking; if there is a rule, also for commands and files that the agent does not ask about. */
  readonly rules: readonly PermissionRule[];
  /** The mode to change to first. */
  readonly mode: string | undefined;
  /** The session to load instead of a new one. */
  readonly load: string | undefined;
  /** The login method to call first. */
  readonly login: string | undefined;
  /** Diagnostics and the agent's stderr go to stderr. */
  readonly verbose: boolean;
  /** The file to write the messages to. */
  readonly trace: string | undefined;
}

/** The command line cannot be understood; the message says why. */
export class CommandLineError extends Error {}

export const usage = `Usage: acp-client [options] [--prompt <text>] -- <agent command> [args…]

Starts an ACP agent, sends it a prompt, and prints what it does.
Without --prompt it asks for prompts on a terminal; otherwise it reads one prompt from stdin.

Options:
  -p, --prompt <text>   The prompt
  -i, --interactive     Read prompts line by line, even if stdin is no terminal
      --cwd <dir>       The directory to work in. Default: this one
      --allow           Allow what the agent asks permission for, each time once
      --yes             Allow it for the whole session where the agent offers that
                        Default: ask on a terminal; reject if there is none
      --allow-read <path>     Allow reading below this folder
      --allow-edit <path>     Allow reading and editing below this folder
      --allow-command <line>  Allow this command, with exactly these arguments, in --cwd
                        Each can be repeated. With one of them, the agent gets other commands
                        and files only if you allow them, even if it does not ask
      --mode <id>       Change to this session mode first
      --load <id>       Go on with an earlier session, and show its history
      --login <id>      Log in with this method first
      --protocol <n>    The version of ACP: 1 (default), or 2, a draft, with agents that know it
      --framing <name>  How messages are framed: ndjson (default) or content-length
      --verbose         Print diagnostics and the agent's stderr to stderr
      --trace <file>    Write every message to a file, a line of JSON each; secrets included
  -h, --help            Show this

Ctrl-C cancels the turn, a second one quits. At the prompt, /help lists commands, /quit and Ctrl-D quit.

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
  help: { type: "boolean", short: "h", default: false },
} as const;

/** @throws {CommandLineError} */
export function parseCommandLine(argv: readonly string[]): CommandLine {
  // Bun keeps a `--` that comes first to itself.
  const hasLostSeparator = argv[0]?.startsWith("-") === false && !argv.includes("--");
  const args = hasLostSeparator ? ["--", ...argv] : argv;
  const end = args.indexOf("--");
  const { values, positionals } = parse(end < 0 ? args : args.slice(0, end));
  if (values.help) return { kind: "help" };
  if (positionals.length > 0)
    throw new CommandLineError(`What is '${positionals[0]}'? The agent's command comes after --`);
  const [command, ...rest] = end < 0 ? [] : args.slice(end + 1);
  if (command === undefined) throw new CommandLineError("Which agent? Its command comes after --");
  const framing = [ndjson, contentLength].find(({ name }) => name === values.framing);
  if (framing === undefined) throw new CommandLineError(`There is no framing '${values.framing}'`);
  if (values.protocol !== "1" && values.protocol !== "2")
    throw new CommandLineError(`There is no version '${values.protocol}' of the protocol here; there are 1 and 2`);
  const { prompt, interactive, mode, load, login, verbose, trace } = values;
  if (interactive && prompt !== undefined) throw new CommandLineError("--prompt and --interactive exclude each other");
  const cwd = resolve(values.cwd);
  if (!isDirectory(cwd)) throw new CommandLineError(`There is no directory ${cwd}`);
  const { "allow-read": read = [], "allow-edit": edit = [], "allow-command": commands = [] } = values;
  if (commands.includes("")) throw new CommandLineError("--allow-command needs a command");
  const rules = rulesOf({ read, edit, commands, cwd });
  if (rules.length > 0 && (values.allow || values.yes))
    throw new CommandLineError("--allow and --yes allow everything: leave them out, or what else is allowed");
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
