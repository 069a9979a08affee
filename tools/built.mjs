// `built.mjs <program> [arguments]`: builds everything, then runs one of the programs of the tests.
import { spawnSync } from "node:child_process";
import process from "node:process";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const options = { cwd: root, stdio: "inherit", shell: process.platform === "win32" };
const build = spawnSync("turbo", ["run", "build", "--output-logs=errors-only"], {
  ...options,
  stdio: ["ignore", "pipe", "inherit"],
});
if (build.error !== undefined) console.error(`Could not start the build: ${build.error.message}`);
if (build.status !== 0) {
  process.stdout.write(build.stdout ?? "");
  process.exit(build.status ?? 1);
}
process.exitCode = spawnSync("node", process.argv.slice(2), options).status ?? 1;
