import { spawn } from "node:child_process";
import { once } from "node:events";
import process from "node:process";

/** A command of the project has failed. */
class CommandError extends Error {
  override readonly name = "CommandError";
}

/** Runs a command in the project, with the terminal of this program. @throws {CommandError} if it fails. */
export async function runCommand(line: readonly [string, ...string[]], cwd: string): Promise<void> {
  const [command, ...args] = line;
  // On Windows, package managers are scripts. None of the words is the user's.
  const child = spawn(command, args, { cwd, stdio: ["inherit", 2, 2], shell: process.platform === "win32" });
  const failed = (reason: string): CommandError =>
    new CommandError(`\`${line.join(" ")}\` ${reason}. The project is made; run the command again in ${cwd}.`);
  try {
    const [code, signal] = (await once(child, "close")) as [number | null, NodeJS.Signals | null];
    if (code !== 0) throw failed(`has ended with ${signal ?? code}`);
  } catch (error) {
    throw error instanceof CommandError ? error : failed("cannot be started");
  }
}
