import { spawn } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import process from "node:process";
import { text } from "node:stream/consumers";

import { root } from "../../support/packages.ts";
import { findPython } from "./find-python.ts";
import type { ForeignProgram, Registry } from "./foreign-program.ts";

/** Where programs are installed: outside of the workspace's packages, so that nothing of theirs gets into its lock file. */
const cache = process.env["ACP_AGENTS_CACHE"] ?? join(root, "node_modules/.cache/agents");

/** How long an installation may take: some are compiled. */
const patience = 20 * 60_000;

interface Installer {
  /** Where it puts programs, below its folder. */
  readonly bin: string;
  install(folder: string, program: ForeignProgram): Promise<void>;
}

const installers: Readonly<Record<Exclude<Registry, "workspace">, Installer>> = {
  npm: {
    bin: "node_modules",
    async install(folder, { packages }) {
      // npm installs into the nearest folder that has one.
      writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true }));
      const options = ["--ignore-scripts", "--no-audit", "--no-fund", "--save-exact", "--loglevel=error"];
      await call(folder, "npm", ["install", ...options, ...specs(packages, "@")]);
    },
  },
  pypi: {
    bin: "bin",
    async install(folder, { packages }) {
      await call(folder, findPython(), ["-m", "venv", folder]);
      const options = ["--quiet", "--disable-pip-version-check", "--no-input"];
      await call(folder, join(folder, "bin", "pip"), ["install", ...options, ...specs(packages, "==")]);
    },
  },
  go: {
    bin: "bin",
    install: (folder, { packages }) =>
      call(folder, "go", ["install", ...specs(packages, "@")], { GOBIN: join(folder, "bin") }),
  },
  crates: {
    bin: "bin",
    install: (folder, { packages, installOptions = [] }) =>
      call(folder, "cargo", ["install", "--quiet", "--root", folder, ...installOptions, ...specs(packages, "@")], {
        // Programs of one package are compiled once.
        CARGO_TARGET_DIR: join(cache, "cargo"),
      }),
  },
};

/**
 * Installs a program from its registry, unless it is there in these versions, without running its install scripts. Returns the
 * folder of its programs: `node_modules` for npm.
 *
 * @throws if it cannot be installed; the message has the reason.
 */
export async function installAgent(program: ForeignProgram): Promise<string> {
  const { name, registry = "npm", packages, installOptions, scripts = [] } = program;
  if (registry === "workspace") return root;
  const folder = join(cache, name);
  const installer = installers[registry];
  const bin = join(folder, installer.bin);
  const done = join(folder, "installed.json");
  const wanted = JSON.stringify(installOptions === undefined ? packages : { packages, installOptions });
  mkdirSync(folder, { recursive: true });
  for (const script of scripts) copyFileSync(script, join(folder, basename(script)));
  if (existsSync(done) && readFileSync(done, "utf8") === wanted) return bin;
  await installer.install(folder, program);
  writeFileSync(done, wanted);
  return bin;
}

function specs(packages: ForeignProgram["packages"], between: string): readonly string[] {
  return Object.entries(packages).map(([id, version]) => `${id}${between}${version}`);
}

async function call(
  cwd: string,
  command: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<void> {
  const child = spawn(command, args, {
    cwd,
    env: { ...process.env, ...env },
    stdio: ["ignore", "ignore", "pipe"],
    timeout: patience,
  });
  const code = new Promise<number | null>((resolve, reject) => child.on("error", reject).on("close", resolve));
  const [said, ended] = await Promise.all([text(child.stderr), code]);
  if (ended !== 0) throw new Error(`${command} ${args.join(" ")} failed (exit code ${ended}):\n${said.trim()}`);
}
