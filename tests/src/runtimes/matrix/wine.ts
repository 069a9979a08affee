/** Runs the suites with Windows builds of the runtimes, on a system that has Wine. */
import { spawn, spawnSync } from "node:child_process";
import { closeSync, mkdirSync, openSync, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import process from "node:process";

import { type RuntimeName, runtimes } from "../../support/runtimes.ts";
import type { Cell, CellRunner } from "./run-cell.ts";
import { stageCopy } from "./staged-copy.ts";
import { windowsBuild, windowsCache } from "./windows-builds.ts";

const wine = process.env["ACP_WINE"] ?? "wine";

/** What the copy that Windows programs run is in. */
const stage = join(windowsCache, "built");

/** How often a suite is begun, if Wine itself crashes. */
const attempts = 3;
/** More than a scenario may take, in milliseconds. */
const patience = 75_000;

let environment: NodeJS.ProcessEnv | undefined;

/** Prepares a copy of what was built, and the runtime. Says what is missing, and ends this process, if that cannot be. */
export function prepareWine(runtime: RuntimeName): void {
  try {
    prepare(runtime);
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exit(1);
  }
}

function prepare(runtime: RuntimeName): void {
  if (process.platform === "win32") throw new Error(`This is Windows: run \`npm run matrix -- --runtime ${runtime}\``);
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

async function run(cell: Cell, arrived: (line: string) => void): Promise<string> {
  for (let attempt = 1; ; attempt += 1) {
    // One after the other.
    const { stdout, ending } = await attemptToRun(cell);
    if (attempt < attempts && ending.includes("wineserver crashed")) continue;
    for (const line of stdout.split("\n")) arrived(line);
    return ending;
  }
}

async function attemptToRun({ suite, runtime }: Cell): Promise<{ readonly stdout: string; readonly ending: string }> {
  const program = windowsPath(join(stage, "tests", "dist", "runtimes", "run-scenarios.js"));
  const args = [...runtimes[runtime].args, program, "--runtime", runtime, "--suite", suite, "--wine"];
  const [out, err] = [join(windowsCache, "stdout"), join(windowsCache, "stderr")];
  // A Windows program cannot take a pipe of this system for its stdout.
  const files = [openSync(out, "w"), openSync(err, "w")] as const;
  const child = spawn(wine, [windowsBuild(runtime), ...args], { env: environment, stdio: ["ignore", ...files] });
  // What is left when Wine itself has crashed waits for ever.
  const watch = setInterval(() => {
    if (Date.now() - statSync(out).mtimeMs > patience) child.kill("SIGKILL");
  }, 1_000);
  const status = await new Promise<string>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code, signal) => resolve(String(code ?? signal)));
  }).finally(() => {
    clearInterval(watch);
    for (const file of files) closeSync(file);
  });
  const stderr = readFileSync(err, "utf8").slice(-10_000);
  return { stdout: readFileSync(out, "utf8"), ending: `Ended with ${status} before this scenario\n${stderr}` };
}

/** The path of a file as Wine shows it to programs. */
function windowsPath(path: string): string {
  return `Z:${path.replaceAll("/", "\\")}`;
}
