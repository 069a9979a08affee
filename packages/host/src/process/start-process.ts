import { AcpError } from "@acp/core";
import { describeError } from "@acp/core/internal";

import type {
  ForegroundCommand,
  ForegroundProcess,
  Runtime,
  RuntimeCommand,
  RuntimeProcess,
} from "../runtime/runtime.ts";
import { errorCode, isForbidden } from "../runtime/error-code.ts";
import { mergeEnvironment } from "./environment.ts";
import { posixProgramExists } from "./posix-program.ts";
import { ProcessStartError } from "./process-start-error.ts";
import { resolveWindowsCommand } from "./windows-command.ts";

/**
 * Starts a process. `requested` is the command to name in errors, if a shell runs it.
 *
 * @throws {ProcessStartError} if that is not possible.
 * @throws {UsageError} on a runtime that is too old.
 */
export function startProcess(
  runtime: Runtime,
  command: RuntimeCommand,
  requested: string = command.command,
): Promise<RuntimeProcess> {
  return start(runtime, command, requested, (resolved) => runtime.spawn(resolved));
}

/**
 * Starts a process in the foreground.
 *
 * @throws {ProcessStartError} if that is not possible.
 */
export function startInForeground(runtime: Runtime, command: ForegroundCommand): Promise<ForegroundProcess> {
  return start(runtime, { ...command, stdin: "null" }, command.command, (resolved) =>
    runtime.startInForeground(resolved),
  );
}

async function start<Process>(
  runtime: Runtime,
  command: RuntimeCommand,
  requested: string,
  run: (resolved: RuntimeCommand) => Promise<Process>,
): Promise<Process> {
  try {
    return await run(runtime.platform === "windows" ? await resolveWindowsCommand(runtime.files, command) : command);
  } catch (error) {
    // The runtime is the problem, whatever the command.
    if (error instanceof AcpError) throw error;
    const code = isForbidden(error) ? "ENOTCAPABLE" : await codeOf(runtime, command, error);
    const badCwd = ["ENOENT", "ENOTDIR", "ENOCWD", "EACCES"].includes(code)
      ? await describeBadCwd(runtime, command)
      : undefined;
    if (badCwd !== undefined) throw startError(requested, "ENOCWD", badCwd, error);
    throw startError(requested, code, explain(error, code, command, runtime.platform), error);
  }
}

/**
 * Reads the environment for a process.
 *
 * @throws {ProcessStartError} if that of this process may not be read.
 * @throws {UsageError} on a runtime that is too old.
 */
export function environmentFor(
  runtime: Runtime,
  command: string,
  changes: Readonly<Record<string, string | undefined>> | undefined,
): Record<string, string> {
  try {
    return mergeEnvironment(runtime, changes);
  } catch (error) {
    if (error instanceof AcpError) throw error;
    throw startError(command, errorCode(error) ?? "UNKNOWN", describeError(error), error);
  }
}

/** Creates the error for a program whose working directory cannot be entered. */
export async function badDirectory(
  runtime: Runtime,
  { command, cwd }: Pick<RuntimeCommand, "command" | "cwd">,
  cause: unknown,
): Promise<ProcessStartError> {
  const why = `its working directory ${JSON.stringify(cwd)} cannot be entered: ${describeError(cause)}`;
  return startError(command, "ENOCWD", (await describeBadCwd(runtime, { cwd })) ?? why, cause);
}

function startError(command: string, reason: string, explanation: string, cause: unknown): ProcessStartError {
  const message = `Could not start ${JSON.stringify(command)}: ${explanation}`;
  return new ProcessStartError(message, command, reason, cause === undefined ? undefined : { cause });
}

async function codeOf({ platform, files }: Runtime, command: RuntimeCommand, error: unknown): Promise<string> {
  const code = errorCode(error) ?? "UNKNOWN";
  // Libuv has two codes for a file that is not a program; one of them is also its code for unknown errors.
  if (platform === "windows") return code === "EFTYPE" || code === "UNKNOWN" ? "ENOEXEC" : code;
  if (code !== "EACCES" || command.command.includes("/")) return code;
  // The system returns this code, too, if a directory on PATH may not be searched.
  return (await posixProgramExists(files, command)) ? code : "ENOENT";
}

function explain(
  error: unknown,
  reason: string,
  { command, env }: RuntimeCommand,
  platform: Runtime["platform"],
): string {
  const isWindows = platform === "windows";
  if (reason === "ENOENT" && /[\\/]/u.test(command))
    return `there is no such file${isWindows ? "" : ", or the program named in its first line is missing"}${argumentsHint(command)}`;
  if (reason === "ENOENT")
    return isCommandLine(command)
      ? `it is a command line, not a program${argumentsHint(command)}`
      : `it was not found on PATH (${env["PATH"] ?? env["Path"] ?? "which is not set"})`;
  if (reason === "EACCES") return "the file may not be executed; check its permissions";
  if (reason === "ENOEXEC" && isWindows)
    return "Windows cannot run such a file; for a script, `command` is its interpreter, and `args` begin with its path";
  if (reason === "ENOEXEC")
    return "it is no program: a script needs a first line that names its interpreter, as #!/bin/sh does";
  if (reason === "EMFILE")
    return "this process has too many files open; close what it has opened, or raise `ulimit -n`";
  return describeError(error);
}

/** Adds a hint to a command that was not found, if it looks like a whole command line. */
export function argumentsHint(command: string): string {
  if (!isCommandLine(command)) return "";
  const [program] = command.trim().split(/\s+/u, 1);
  return `; arguments belong in \`args\`: put ${JSON.stringify(program)} into \`command\`, and the rest into \`args\``;
}

function isCommandLine(command: string): boolean {
  return /\S\s+\S/u.test(command);
}

/** Describes the problem with the working directory, if that is the cause and this process may look. */
async function describeBadCwd({ files }: Runtime, { cwd }: Pick<RuntimeCommand, "cwd">): Promise<string | undefined> {
  if (cwd === undefined || files.mayRead?.(cwd) === false) return undefined;
  const subject = `its working directory ${JSON.stringify(cwd)}`;
  try {
    if ((await files.stat(cwd)).kind !== "directory") return `${subject} is no directory`;
    // Fails unless the directory may be entered.
    await files.stat(`${cwd}/.`);
    return undefined;
  } catch (error) {
    return `${subject} ${errorCode(error) === "EACCES" ? "may not be entered" : "does not exist"}`;
  }
}
