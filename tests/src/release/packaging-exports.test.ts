// What can be imported is what the declarations say: nothing that the build needs for itself shows in an editor.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

import { afterAll, beforeAll, expect, test } from "vitest";

import { entriesOf, pack, root, run, selfContainedPackages } from "../support/packages.ts";
import { commandOn, type RuntimeName } from "../support/runtimes.ts";

const packages = selfContainedPackages();
const names = packages.map(({ name }) => name);
const entries = packages.flatMap((manifest) =>
  entriesOf(manifest).map((entry) => ({ runtime: runtimeOf(manifest.name), entry })),
);

function runtimeOf(name: string): RuntimeName {
  if (name === "@acp/deno") return "deno";
  return name === "@acp/bun" ? "bun" : "node20";
}

const project = realpathSync(mkdtempSync(join(tmpdir(), "acp-exports-")));
const tsc = join(dirname(createRequire(join(root, "package.json")).resolve("typescript/package.json")), "bin/tsc");

beforeAll(async () => {
  const tarballs = await pack(names, project);
  const dependencies = Object.fromEntries(names.map((name) => [name, `file:${tarballs.get(name)}`]));
  writeJson("package.json", { name: "consumer", version: "1.0.0", private: true, type: "module", dependencies });
  await run("npm", ["install", "--offline", "--no-audit", "--no-fund"], project);
  // What a package only needs for an entry of its own comes from here: nothing is fetched.
  for (const { name, peerDependencies = {} } of packages)
    for (const peer of Object.keys(peerDependencies).filter((one) => !names.includes(one))) link(peer, name);
  // Written to the file descriptor: a guard keeps everything else from stdout.
  const program = `import { writeFileSync } from "node:fs";
writeFileSync(1, JSON.stringify(Object.keys(await import(process.argv[2]))));
`;
  writeFileSync(join(project, "keys.js"), program);
});
afterAll(() => rmSync(project, { recursive: true }));

function writeJson(file: string, content: object): void {
  writeFileSync(join(project, file), JSON.stringify(content));
}

function link(peer: string, of: string): void {
  const target = join(project, "node_modules", peer);
  mkdirSync(dirname(target), { recursive: true });
  symlinkSync(realpathSync(join(root, "packages", of.replace("@acp/", ""), "node_modules", peer)), target);
}

async function exportsOf(runtime: RuntimeName, entry: string): Promise<readonly string[]> {
  const { command, args } = commandOn(runtime, "keys.js", [entry]);
  return JSON.parse(await run(command, args, project));
}

test("every entry exports the values that it declares, and no others", async () => {
  const checks: string[] = [];
  for (const [index, { runtime, entry }] of entries.entries()) {
    const values = (await exportsOf(runtime, entry)).map((name) => `${name}: true`).join(", ");
    // A name too many is an error here, as one too few is.
    checks.push(
      `import * as entry${index} from "${entry}";`,
      `export const values${index}: Record<keyof typeof entry${index}, true> = { ${values} };`,
    );
  }
  expect(checks.length).toBeGreaterThan(40);
  writeFileSync(join(project, "checks.ts"), `${checks.join("\n")}\n`);
  const compilerOptions = { target: "es2022", module: "nodenext", strict: true, noEmit: true, skipLibCheck: true };
  const types = { types: ["node"], typeRoots: [join(root, "node_modules/@types")] };
  writeJson("tsconfig.json", { compilerOptions: { ...compilerOptions, ...types }, files: ["checks.ts"] });
  expect(await run(process.execPath, [tsc, "--pretty", "false"], project)).toBe("");
});
