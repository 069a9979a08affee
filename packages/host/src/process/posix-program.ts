import { isForbidden } from "../runtime/error-code.ts";
import type { RuntimeCommand, RuntimeFiles } from "../runtime/runtime.ts";

/**
 * POSIX: whether there is a program of this name, on `PATH` or, if it has a slash, at that path.
 *
 * @param ifUnknown The answer if this process may not look, or does not know where.
 */
export async function posixProgramExists(
  files: RuntimeFiles,
  { command, cwd, env }: Pick<RuntimeCommand, "command" | "cwd" | "env">,
  ifUnknown = true,
): Promise<boolean> {
  const path = env["PATH"];
  const inDirectory = (directory: string): string => (directory.endsWith("/") ? directory : `${directory}/`) + command;
  const here = cwd ?? ".";
  if (command.startsWith("/")) return isFile(files, command, ifUnknown);
  if (command.includes("/")) return isFile(files, inDirectory(here), ifUnknown);
  // Without PATH the system uses its own default, which this process cannot know.
  if (path === undefined) return ifUnknown;
  for (const directory of path.split(":")) {
    // Usually it is in one of the first directories: checking all of them at once would cost more.
    if (await isFile(files, inDirectory(directory === "" ? here : directory), ifUnknown)) return true;
  }
  return false;
}

async function isFile(files: RuntimeFiles, path: string, ifUnknown: boolean): Promise<boolean> {
  // Without permission to look, neither report it missing nor ask the user.
  if (files.mayRead?.(path) === false) return ifUnknown;
  try {
    return (await files.stat(path)).kind === "file";
  } catch (error) {
    return ifUnknown && isForbidden(error);
  }
}
