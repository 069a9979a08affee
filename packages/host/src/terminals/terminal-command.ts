import { RequestError } from "@acp/core";

import type { HostSession } from "../host-context.ts";
import { posixProgramExists } from "../process/posix-program.ts";
import { environmentFor } from "../process/start-process.ts";
import { shellCommand, windowsProgramExists } from "../process/windows-command.ts";
import { isAbsolutePath } from "../runtime/paths.ts";
import type { Runtime, RuntimeCommand } from "../runtime/runtime.ts";

/** Params of `terminal/create`. */
export interface CreateTerminalParams {
  readonly command: string;
  readonly args?: readonly string[] | null;
  readonly env?: readonly { readonly name: string; readonly value: string }[] | null;
  readonly cwd?: string | null;
  readonly outputByteLimit?: number | null;
}

/** A requested command, with the defaults filled in. */
export interface TerminalCommand {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string | undefined;
  readonly env: Readonly<Record<string, string>>;
}

/** @throws {RequestError} `-32602` for a relative directory (CONV-02, TERM-05) or an invalid variable. */
export function terminalCommand(
  runtime: Runtime,
  params: CreateTerminalParams,
  session: HostSession,
  base: Readonly<Record<string, string | undefined>>,
): TerminalCommand {
  const args = params.args ?? [];
  if (params.command.includes("\0")) throw invalid("/command", "A command cannot contain a NUL");
  const broken = args.findIndex((part) => part.includes("\0"));
  if (broken !== -1) throw invalid(`/args/${broken}`, "An argument cannot contain a NUL");
  if (params.command === "") throw invalid("/command", "The command is empty");
  const cwd = params.cwd ?? session.cwd;
  if (cwd === "" && params.cwd == null)
    throw invalid("/cwd", "The session is not open yet, so its directory is not known: name one as cwd");
  if (cwd !== undefined && !isAbsolutePath(runtime, cwd)) throw invalid("/cwd", "cwd must be an absolute path");
  return { command: params.command, args, cwd, env: environment(runtime, params.command, base, params.env ?? []) };
}

/**
 * Whether a command is a line for the shell. By default it is one if it has no arguments, reads like a line, and no program
 * has that name: a path may have spaces, too.
 */
export async function isShellLine(
  runtime: Runtime,
  command: TerminalCommand,
  shell: boolean | undefined,
): Promise<boolean> {
  if (shell === false || command.args.length > 0) return false;
  if (shell === true) return true;
  const start = { ...command, stdin: "null" } as const;
  if (runtime.platform === "posix")
    return /[\s|&;<>()$`"'*?]|^~/u.test(command.command) && !(await posixProgramExists(runtime.files, start, false));
  return /[\s|&<>()%^"]/u.test(command.command) && !(await windowsProgramExists(runtime.files, start));
}

/**
 * Returns how to start it. POSIX: through `sh`, which joins stderr to stdout before it becomes the command, so that the
 * order of its output is exact. Windows: two pipes, in the order of arrival.
 */
export function startCommand(
  runtime: Runtime,
  { command, args, cwd, env }: TerminalCommand,
  isLine: boolean,
): RuntimeCommand {
  if (isLine) return shellLine(runtime, command, cwd, env);
  if (runtime.platform === "windows") return { command, args, cwd, env, stdin: "null" };
  const start = ["-c", 'exec "$@" 2>&1', "sh", ...setUnnameable(command, env), command, ...args];
  return { command: "/bin/sh", args: start, cwd, env, stdin: "null" };
}

/** Sets variables again that some shells drop because of their names, such as `spring.profiles.active`. */
function setUnnameable(command: string, env: TerminalCommand["env"]): readonly string[] {
  const lost = Object.entries(env).filter(([name]) => !/^[a-z_]\w*$/iu.test(name));
  // `env` would read such a command as another variable.
  if (lost.length === 0 || command.includes("=")) return [];
  return ["/usr/bin/env", "--", ...lost.map(([name, value]) => `${name}=${value}`)];
}

function shellLine(
  runtime: Runtime,
  line: string,
  cwd: string | undefined,
  env: Readonly<Record<string, string>>,
): RuntimeCommand {
  if (runtime.platform === "posix") {
    return { command: "/bin/sh", args: ["-c", `exec 2>&1\n${line}`], cwd, env, stdin: "null" };
  }
  return shellCommand({ command: line, args: [], cwd, env, stdin: "null" }, line);
}

function environment(
  runtime: Runtime,
  command: string,
  base: Readonly<Record<string, string | undefined>>,
  entries: readonly { readonly name: string; readonly value: string }[],
): Record<string, string> {
  // In a record, `__proto__` would be its prototype.
  const changes = new Map(Object.entries(base));
  for (const [index, { name, value }] of entries.entries()) {
    if (name === "" || /[=\0]/u.test(name) || value.includes("\0")) {
      throw invalid(`/env/${index}`, `Not an environment variable: ${JSON.stringify(name)}`);
    }
    changes.set(name, value);
  }
  return environmentFor(runtime, command, Object.fromEntries(changes));
}

/** `path` is a JSON pointer into the params, as in similar answers. */
function invalid(path: string, message: string): RequestError {
  return RequestError.invalidParams(message, { path, reason: message });
}
