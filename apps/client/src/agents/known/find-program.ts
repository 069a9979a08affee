import { accessSync, constants, statSync } from "node:fs";
import { delimiter, isAbsolute, join } from "node:path";

type Environment = Readonly<Record<string, string | undefined>>;

/** Finds a program on `PATH`; returns its path. */
export function findProgram(name: string, env: Environment, platform: string = process.platform): string | undefined {
  const path = Object.entries(env).find(([key]) => (platform === "win32" ? key.toUpperCase() : key) === "PATH")?.[1];
  const endings = platform === "win32" ? (env["PATHEXT"] ?? ".COM;.EXE;.BAT;.CMD").split(";") : [""];
  for (const folder of (path ?? "").split(delimiter)) {
    // A relative folder would find programs of the project.
    if (!isAbsolute(folder)) continue;
    for (const ending of endings) {
      const file = join(folder, name + ending.toLowerCase());
      if (isExecutable(file)) return file;
    }
  }
  return undefined;
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}
