// The main job: the reference client drives the reference agent through a session on a copy of the sample project.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import process from "node:process";

import { byName } from "./by-name.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const isBuilt = ["agent", "client"].every((app) => existsSync(new URL(`../apps/${app}/dist`, import.meta.url)));
if (!isBuilt) console.error("Building acp and the reference agent: about half a minute, this once.");
const filters = ["agent", "cli"].map((name) => `--filter=@acp/${name}...`);
const build = spawnSync(
  ...byName("turbo", ["run", "build", "--output-logs=errors-only", ...filters], {
    cwd: root,
    stdio: ["ignore", "pipe", "inherit"],
  }),
);
if (build.status !== 0) {
  // Without a status it did not even start: the installation before this script has failed, and said so.
  process.stderr.write(build.stdout ?? `The build could not be started: ${build.error?.message}\n`);
  process.exit(build.status ?? 1);
}
const { status } = spawnSync(
  ...byName("node", ["tools/demo.mjs", ...process.argv.slice(2)], { cwd: root, stdio: "inherit" }),
);
process.exitCode = status ?? 1;
