import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import process from "node:process";

import type { PackageManager, Runtime } from "../options/options.ts";

/** The package manager that started this program. */
export function usedPackageManager(agent: string | undefined = process.env["npm_config_user_agent"]): PackageManager {
  const name = agent?.split("/")[0];
  if (name === "pnpm" || name === "yarn" || name === "bun") return name;
  if (process.versions["deno"] !== undefined) return "deno";
  return process.versions["bun"] === undefined ? "npm" : "bun";
}

/** The runtime that runs this program, or that its package manager is for. */
export function usedRuntime(packageManager: PackageManager | undefined): Runtime {
  if (process.versions["deno"] !== undefined || packageManager === "deno") return "deno";
  return process.versions["bun"] !== undefined || packageManager === "bun" ? "bun" : "node";
}

/** Where the program of a runtime is; its name if it is not in `PATH`. */
export function executableOf(runtime: Runtime): string {
  const isThis = new RegExp(`[\\\\/]${runtime}(?:\\.exe)?$`, "u").test(process.execPath);
  const endings = process.platform === "win32" ? [".exe", ".cmd"] : [""];
  const folders = (process.env["PATH"] ?? "").split(delimiter).filter((folder) => folder !== "");
  // What a script of npm has in front is gone when the script has ended.
  const lasting = folders.filter((folder) => !folder.includes("node_modules"));
  const inPath = lasting.flatMap((folder) => endings.map((ending) => join(folder, `${runtime}${ending}`)));
  const files = isThis ? [process.execPath, ...inPath] : inPath;
  return files.find((file) => existsSync(file)) ?? runtime;
}
