import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";

import type { AgentUnderTest } from "./agents-under-test.ts";

/** Where agents are installed: outside of the workspace's packages, so that nothing of theirs gets into its lock file. */
const cache =
  process.env["ACP_AGENTS_CACHE"] ?? fileURLToPath(new URL("../../../../node_modules/.cache/agents", import.meta.url));

/**
 * Installs an agent from npm, unless it is there in these versions, without running its install scripts. Returns its
 * `node_modules` folder.
 *
 * @throws if npm cannot install it; the message has the reason.
 */
export async function installAgent({ name, packages }: AgentUnderTest): Promise<string> {
  const folder = join(cache, name);
  const modules = join(folder, "node_modules");
  const done = join(folder, "installed.json");
  const wanted = JSON.stringify(packages);
  if (existsSync(done) && readFileSync(done, "utf8") === wanted) return modules;
  mkdirSync(folder, { recursive: true });
  // npm installs into the nearest folder that has one.
  writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true }));
  const specs = Object.entries(packages).map(([id, version]) => `${id}@${version}`);
  const options = ["--ignore-scripts", "--no-audit", "--no-fund", "--save-exact", "--loglevel=error"];
  const npm = spawn("npm", ["install", ...options, ...specs], { cwd: folder, stdio: ["ignore", "ignore", "pipe"] });
  const code = new Promise<number | null>((resolve, reject) => npm.on("error", reject).on("close", resolve));
  const [said, ended] = await Promise.all([text(npm.stderr), code]);
  if (ended !== 0)
    throw new Error(`npm could not install ${specs.join(" and ")} (exit code ${ended}):\n${said.trim()}`);
  writeFileSync(done, wanted);
  return modules;
}
