import { constants } from "node:fs";
import { access, realpath, stat } from "node:fs/promises";
import { basename, delimiter, dirname, join, resolve } from "node:path";

/**
 * Finds the program that a shell starts by a name: its name in the real folder that it is in, so that `env`, `/bin/env` and
 * `/usr/bin/env` are one. The file itself may be a link: with busybox, all programs are one file. A name that is not found
 * stays as it is: the shell may know it.
 */
export async function resolveProgram(
  name: string,
  cwd: string,
  { path = process.env["PATH"] ?? "", platform = process.platform }: { path?: string; platform?: string } = {},
): Promise<string> {
  const isWindows = platform === "win32";
  if (/[/\\]/u.test(name)) return inRealFolder(resolve(cwd, name));
  // The shell of Windows looks into the working directory first. An empty entry means that directory elsewhere.
  const folders = [...(isWindows ? [cwd] : []), ...path.split(delimiter).map((folder) => resolve(cwd, folder))];
  const endings = isWindows ? ["", ...(process.env["PATHEXT"] ?? ".COM;.EXE;.BAT;.CMD").split(";")] : [""];
  for (const folder of folders) {
    for (const ending of endings) {
      const file = join(folder, name + ending);
      if (await isProgram(file)) return inRealFolder(file);
    }
  }
  return name;
}

async function inRealFolder(file: string): Promise<string> {
  const folder = await realpath(dirname(file)).catch(() => dirname(file));
  return join(folder, basename(file));
}

async function isProgram(file: string): Promise<boolean> {
  try {
    await access(file, constants.X_OK);
    return (await stat(file)).isFile();
  } catch {
    return false;
  }
}
