// Takes the pictures of the page that the README and the guide show: `npm run pictures`. Look at them before you commit them.
import { spawnSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const folder = fileURLToPath(new URL("../docs/pictures", import.meta.url));
mkdirSync(folder, { recursive: true });
const { status } = spawnSync(
  process.execPath,
  ["tools/pnpm.mjs", "vitest", "run", "tests/src/release/page-pictures.test.ts"],
  { cwd: root, stdio: "inherit", env: { ...process.env, PAGE_PICTURES: folder } },
);
process.exitCode = status ?? 1;
