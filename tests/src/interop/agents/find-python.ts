import { spawnSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import process from "node:process";

/** The oldest Python that the programs run on. */
const oldest = [3, 12] as const;

/**
 * Finds a Python that is new enough: on the path, or among those of pyenv.
 *
 * @throws if there is none.
 */
export function findPython(): string {
  const versions = join(process.env["PYENV_ROOT"] ?? join(homedir(), ".pyenv"), "versions");
  const named = ["python3.13", "python3.12", "python3"];
  const kept = existsSync(versions) ? readdirSync(versions).map((name) => join(versions, name, "bin/python3")) : [];
  const found = [...named, ...kept].find(isNewEnough);
  if (found === undefined) throw new Error(`There is no Python ${oldest.join(".")} or newer`);
  return found;
}

function isNewEnough(python: string): boolean {
  const test = `import sys, venv; sys.exit(sys.version_info < (${oldest.join(", ")}))`;
  return spawnSync(python, ["-c", test], { stdio: "ignore" }).status === 0;
}
