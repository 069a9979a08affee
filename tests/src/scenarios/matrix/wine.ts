/** Runs the suites with Windows builds of the runtimes, on a system that has Wine. */
import { spawn, spawnSync } from "node:child_process";
import { closeSync, mkdirSync, openSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import process from "node:process";

import { type RuntimeName, runtimes } from "../runtimes.ts";
import type { Cell, CellRunner } from "./run-cell.ts";
import { stageCopy } from "./staged-copy.ts";
import { windowsBuild, windowsCache } from "./windows-builds.ts";

const wine = process.env["ACP_WINE"] ?? "wine";

/** What the copy that Windows programs run is in. */
const stage = join(windowsCache, "built");

let environment: NodeJS.ProcessEnv | undefined;

/**
 * Prepares a copy of what was built, and the runtime.
 *
 * @throws if there is no Wine, or no Windows build of the runtime.
 */
export function prepareWine(runtime: RuntimeName): void {
  if (spawnSync(wine, ["--version"]).status !== 0) {
    throw new Error(
      `Windows builds run by Wine here, and ${JSON.stringify(wine)} cannot be run: install Wine 10 or newer, for programs of 64 bits, or set ACP_WINE to its executable`,
    );
  }
  mkdirSync(windowsCache, { recursive: true });
  stageCopy(stage);
  environment = {
    // Whoever has one of their own may have set it up as they need it.
    WINEPREFIX: join(windowsCache, "prefix"),
    WINEDEBUG: "-all",
    ...process.env,
    // A file of this system.
    NODE_EXTRA_CA_CERTS: undefined,
    // The sample project runs its tests on Node.
    WINEPATH: windowsPath(dirname(windowsBuild("node24"))),
    [`ACP_${runtime.toUpperCase()}`]: windowsPath(windowsBuild(runtime)),
  };
}

/** Runs suites with it. Once it was prepared, and one after the other, since Wine does not stand more. */
export const runOnWine: CellRunner = { systems: ["windows", "wine"], run };

async function run({ suite, runtime }: Cell, arrived: (line: string) => void): Promise<string> {
  const program = windowsPath(join(stage, "tests", "dist", "scenarios", "run-scenarios.js"));
  const args = [...runtimes[runtime].args, program, "--runtime", runtime, "--suite", suite, "--wine"];
  const [out, err] = [join(windowsCache, "stdout"), join(windowsCache, "stderr")];
  // A Windows program cannot take a pipe of this system for its stdout.
  const files = [openSync(out, "w"), openSync(err, "w")] as const;
  const child = spawn(wine, [windowsBuild(runtime), ...args], { env: environment, stdio: ["ignore", ...files] });
  const status = await new Promise<string>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code, signal) => resolve(String(code ?? signal)));
  });
  for (const file of files) closeSync(file);
  for (const line of readFileSync(out, "utf8").split("\n")) arrived(line);
  return `Ended with ${status} before this scenario\n${readFileSync(err, "utf8").slice(-10_000)}`;
}

/** The path of a file as Wine shows it to programs. */
function windowsPath(path: string): string {
  return `Z:${path.replaceAll("/", "\\")}`;
}
