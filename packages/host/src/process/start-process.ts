import type { Runtime, RuntimeCommand, RuntimeProcess } from "../runtime/runtime.ts";
import { errorCode, errorMessage } from "../runtime/error-code.ts";
import { ProcessStartError } from "./process-start-error.ts";
import { resolveWindowsCommand } from "./windows-command.ts";

/**
 * Starts a process.
 *
 * @throws {ProcessStartError} if that is not possible.
 */
export async function startProcess(runtime: Runtime, command: RuntimeCommand): Promise<RuntimeProcess> {
  try {
    const resolved = runtime.platform === "windows" ? await resolveWindowsCommand(runtime.files, command) : command;
    return await runtime.spawn(resolved);
  } catch (error) {
    const reason = errorCode(error) ?? "UNKNOWN";
    const cwdMissing = reason === "ENOENT" && command.cwd !== undefined && !(await isDirectory(runtime, command.cwd));
    const message = `Could not start ${JSON.stringify(command.command)}: ${explain(error, reason, command, cwdMissing)}`;
    throw new ProcessStartError(message, command.command, cwdMissing ? "ENOCWD" : reason, { cause: error });
  }
}

function explain(error: unknown, reason: string, { command, cwd, env }: RuntimeCommand, cwdMissing: boolean): string {
  if (cwdMissing) return `its working directory ${JSON.stringify(cwd)} does not exist`;
  if (reason === "ENOENT" && /[\\/]/u.test(command))
    return "there is no such file, or the program named in its first line is missing";
  if (reason === "ENOENT") return `it was not found on PATH (${env["PATH"] ?? env["Path"] ?? "which is not set"})`;
  if (reason === "EACCES") return "the file may not be executed; check its permissions";
  return errorMessage(error);
}

async function isDirectory(runtime: Runtime, path: string): Promise<boolean> {
  try {
    return (await runtime.files.stat(path)).kind === "directory";
  } catch {
    return false;
  }
}
