// `jsr.mjs [arguments of deno publish]`: lays the packages out as JSR takes them, TypeScript with a
// `deno.json` made from each `package.json`, and publishes them with Deno. So names, versions and entries have one home.
import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";

import { byName } from "./by-name.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const names = ["schema", "framing", "core", "http", "mcp", "proxy", "record", "go-dialect", "host", "deno"];

const deno = process.env.ACP_DENO ?? join(root, "tests/runtimes/node_modules/.bin/deno");

const stage = mkdtempSync(join(tmpdir(), "acp-jsr-"));
try {
  for (const name of names) layOut(name);
  // The packages find each other here as they will at the registry; the options are those of `tsconfig.base.json`.
  writeJson("deno.json", {
    workspace: names.map((name) => `./${name}`),
    compilerOptions: { noUncheckedIndexedAccess: true, noImplicitOverride: true },
  });
  const { status, error } = spawnSync(
    ...byName(deno, ["publish", "--allow-dirty", ...process.argv.slice(2)], { cwd: stage, stdio: "inherit" }),
  );
  if (error !== undefined) console.error(`Could not start deno: ${error.message}`);
  process.exitCode = status ?? 1;
} finally {
  rmSync(stage, { recursive: true });
}

function layOut(name) {
  const source = join(root, "packages", name);
  cpSync(join(source, "src"), join(stage, name, "src"), {
    recursive: true,
    filter: (path) => !/\.test(-d)?\.ts$|[/\\](testing|type-tests)$/u.test(path),
  });
  cpSync(join(source, "README.md"), join(stage, name, "README.md"));
  cpSync(join(root, "LICENSE"), join(stage, name, "LICENSE"));
  const { version, license, exports, ...manifest } = JSON.parse(readFileSync(join(source, "package.json"), "utf8"));
  const sources = Object.entries(exports).flatMap(([entry, conditions]) =>
    typeof conditions === "string" ? [] : [[entry, conditions["@acp/source"]]],
  );
  writeJson(join(name, "deno.json"), { name: manifest.name, version, license, exports: Object.fromEntries(sources) });
}

function writeJson(file, content) {
  writeFileSync(join(stage, file), JSON.stringify(content, null, 2));
}
