import { isForbidden } from "../runtime/error-code.ts";
import type { RuntimeCommand, RuntimeFiles } from "../runtime/runtime.ts";

/** POSIX: whether there is a program of this name, on `PATH` or, if it has a slash, at that path. */
export async function posixProgramExists(
  files: RuntimeFiles,
  { command, cwd, env }: Pick<RuntimeCommand, "command" | "cwd" | "env">,
): Promise<boolean> {
  const path = env["PATH"];
  const inDirectory = (directory: string): string => (directory.endsWith("/") ? directory : `${directory}/`) + command;
  const here = cwd ?? ".";
  if (command.startsWith("/")) return isFile(files, command);
  if (command.includes("/")) return isFile(files, inDirectory(here));
  // Without PATH the system uses a default that nobody else knows.
  if (path === undefined) return true;
  for (const directory of path.split(":")) {
    // Usually it is in one of the first directories: checking all of them at once would cost more.
    if (await isFile(files, inDirectory(directory === "" ? here : directory))) return true;
  }
  return false;
}

async function isFile(files: RuntimeFiles, path: string): Promise<boolean> {
  // Without permission to look, neither report it missing nor ask the user.
  if (files.mayRead?.(path) === false) return true;
  try {
    return (await files.stat(path)).kind === "file";
  } catch (error) {
    return isForbidden(error);
  }
}
