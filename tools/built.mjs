// `built.mjs <program> [arguments]`: builds everything, then runs one of the programs of the tests.
import { spawnSync } from "node:child_process";
import process from "node:process";
import { fileURLToPath } from "node:url";

import { byName } from "./by-name.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const build = spawnSync(
  ...byName("turbo", ["run", "build", "--output-logs=errors-only"], {
    cwd: root,
    stdio: ["ignore", "pipe", "inherit"],
  }),
);
if (build.error !== undefined) console.error(`Could not start the build: ${build.error.message}`);
if (build.status !== 0) {
  process.stdout.write(build.stdout ?? "");
  process.exit(build.status ?? 1);
}
process.exitCode = spawnSync(...byName("node", process.argv.slice(2), { cwd: root, stdio: "inherit" })).status ?? 1;
