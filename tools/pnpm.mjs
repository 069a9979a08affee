// Runs pnpm in the version that package.json names, on a machine that has only Node and npm.
import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";

import { byName } from "./by-name.mjs";

const { packageManager } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
const options = {
  stdio: "inherit",
  env: { ...process.env, TURBO_TELEMETRY_DISABLED: "1", TURBO_NO_UPDATE_NOTIFIER: "1" },
};
if (!existsSync(new URL("../node_modules/.modules.yaml", import.meta.url)))
  console.error("Installing the dependencies, with Node.js, Deno and Bun: about a minute, this once.");
const child = spawn(...byName("npx", ["-y", "--prefer-offline", packageManager, ...process.argv.slice(2)], options));
// On Windows the console tells both, and to pass it on would end the shell before what it runs.
const passOn = (signal) => process.platform !== "win32" && child.kill(signal);
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => passOn(signal));
child.on("error", (error) => {
  console.error(`Could not start npx: ${error.message}`);
  process.exitCode = 1;
});
child.on("exit", (code, signal) => {
  process.exitCode = code ?? (signal ? 1 : 0);
});
