import { accessSync, constants, statSync, existsSync, readFileSync, realpathSync } from "node:fs";
import { delimiter, isAbsolute, join, dirname } from "node:path";

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

/** How many folders above a program its package may be. */
const depthLimit = 4;

/** The npm package that a program belongs to, without running it; `undefined` if it is in none. */
export function packageOf(program: string): { readonly name: string; readonly version: string } | undefined {
  try {
    let folder = dirname(realpathSync(program));
    for (let depth = 0; depth < depthLimit; depth += 1, folder = dirname(folder)) {
      const file = join(folder, "package.json");
      if (!existsSync(file)) continue;
      const { name, version } = JSON.parse(readFileSync(file, "utf8")) as Record<string, unknown>;
      // A file without a name only says what kind of modules there are.
      if (typeof name === "string" && typeof version === "string") return { name, version };
    }
  } catch {
    // Then it is not known.
  }
  return undefined;
}
