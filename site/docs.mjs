// `docs.mjs build|dev`: builds the site into `site/dist`, or serves it while its pages change. Installs what it needs first:
// nothing else in the repository needs that.
import { spawnSync } from "node:child_process";
import process from "node:process";
import { fileURLToPath } from "node:url";

const site = fileURLToPath(new URL(".", import.meta.url));
const [action = "build"] = process.argv.slice(2);

function run(command, args, cwd = site) {
  const { status, error } = spawnSync(command, args, { cwd, stdio: "inherit" });
  if (error !== undefined) console.error(`Could not start ${command}: ${error.message}`);
  if (status !== 0) process.exit(status ?? 1);
}

const pnpm = fileURLToPath(new URL("../tools/pnpm.mjs", import.meta.url));
run(process.execPath, [pnpm, "--dir", site, "install", "--frozen-lockfile", "--prefer-offline", "--reporter=silent"]);
run(process.execPath, ["prepare.ts"]);
run(process.execPath, ["node_modules/vitepress/bin/vitepress.js", action === "dev" ? "dev" : "build"]);
