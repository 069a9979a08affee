// The program `acp` from the tarballs of a release, in an empty folder, with an empty home and without a network.
import { execFile } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";

import { publint } from "publint";
import { formatMessage } from "publint/utils";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { cliFolder, pack, publicPackages, readManifest, root, run } from "../support/packages.ts";
import { commandOn, executableOf, type RuntimeName } from "../support/runtimes.ts";

const base = realpathSync(mkdtempSync(join(tmpdir(), "acp-cli-package-")));
const project = join(base, "project");
const home = join(base, "home");
const installed = join(project, "node_modules/@acp/cli");
const reference = [process.execPath, join(root, "apps/agent/dist/main.js"), "--pace", "0"];

interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a program in the folder, with nothing of the user's but `PATH`. */
function runHere(command: string, args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Ended> {
  const path = process.env["PATH"] ?? "";
  return new Promise((resolve) => {
    const child = execFile(
      command,
      args,
      { cwd: project, env: { PATH: path, HOME: home, ...env } },
      (error, stdout, stderr) => resolve({ code: error === null ? 0 : Number(error.code ?? -1), stdout, stderr }),
    );
    child.stdin?.end();
  });
}

/** A package of this repository, and all that it needs. */
function neededBy(name: string, found: Set<string> = new Set()): Set<string> {
  if (found.has(name)) return found;
  found.add(name);
  const manifests = [
    readManifest(join(cliFolder, "package.json")),
    ...publicPackages().map(({ manifest }) => manifest),
  ];
  const { dependencies = {} } = manifests.find((manifest) => manifest.name === name) ?? {};
  for (const dependency of Object.keys(dependencies)) neededBy(dependency, found);
  return found;
}

/** The code of the program, without its tests. */
function programCode(): string {
  const folder = join(cliFolder, "src");
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" });
  const own = files.filter((file) => /\.tsx?$/u.test(file) && !/\.test\.|[/\\]testing[/\\]/u.test(file));
  return own.map((file) => readFileSync(join(folder, file), "utf8")).join("\n");
}

beforeAll(async () => {
  const tarballs = await pack([...neededBy("@acp/cli")], base);
  mkdirSync(project);
  mkdirSync(home);
  const dependencies = Object.fromEntries([...tarballs].map(([name, tarball]) => [name, `file:${tarball}`]));
  const manifest = { name: "empty", version: "1.0.0", private: true, dependencies };
  writeFileSync(join(project, "package.json"), JSON.stringify(manifest));
  await run("npm", ["install", "--offline", "--no-audit", "--no-fund"], project);
});
afterAll(() => rmSync(base, { recursive: true }));

describe("the package @acp/cli", () => {
  test("is well formed, and says what it needs", async () => {
    const { messages, pkg } = await publint({ pkgDir: installed, pack: false, level: "suggestion", strict: true });
    expect(messages.map((message) => formatMessage(message, pkg, { color: false }))).toEqual([]);
    const { description, license, engines, bin, publishConfig } = readManifest(join(installed, "package.json"));
    expect({ license, engines, bin }).toEqual({
      license: "Apache-2.0",
      engines: { node: ">=22" },
      bin: { acp: "./dist/main.js" },
    });
    expect(description).toMatch(/^.{20,}\.$/u);
    expect(publishConfig).toMatchObject({ access: "public", provenance: true });
    expect(readFileSync(join(installed, "dist/main.js"), "utf8")).toMatch(/^#!\/usr\/bin\/env node\n/u);
    for (const file of ["LICENSE", "README.md", "schema/config.schema.json"])
      expect([file, existsSync(join(installed, file))]).toEqual([file, true]);
    expect(existsSync(join(installed, "dist/demo.js"))).toBe(false);
  });

  test("needs nothing from others but what is in it", () => {
    const { dependencies = {} } = readManifest(join(installed, "package.json"));
    expect(Object.keys(dependencies).filter((name) => !name.startsWith("@acp/"))).toEqual([]);
    expect(readdirSync(join(project, "node_modules")).filter((name) => !/^(?:\.|@acp$)/u.test(name))).toEqual([]);
  });

  test("has the licence of each package whose code is in it", () => {
    const { devDependencies } = JSON.parse(readFileSync(join(cliFolder, "package.json"), "utf8")) as {
      readonly devDependencies: Readonly<Record<string, string>>;
    };
    const licenses = readFileSync(join(installed, "dist/THIRD-PARTY-LICENSES.txt"), "utf8");
    const code = programCode();
    const bundled = Object.keys(devDependencies).filter((name) => new RegExp(`"${name}(?:/[^"]+)?"`, "u").test(code));
    expect(bundled.length).toBeGreaterThan(5);
    expect(bundled.filter((name) => !new RegExp(`^${name} \\d+\\.\\S+ \\(.+\\)$`, "mu").test(licenses))).toEqual([]);
    for (const entry of licenses.split(`\n\n${"-".repeat(80)}\n\n`).slice(1)) {
      expect(entry).toMatch(/^\S+ \d+\.\S+ \((?:MIT|ISC|BSD-[23]-Clause|Apache-2\.0|0BSD)\)\n/u);
      expect(entry).toMatch(/copyright/iu);
      expect(entry.length).toBeGreaterThan(500);
    }
    expect(licenses).not.toContain(root);
  });
});

describe.each<RuntimeName>(["node22", "node24"])("npx acp on %s", (name) => {
  const path = `${dirname(executableOf(name))}${delimiter}${process.env["PATH"]}`;
  const npx = (...args: string[]): Promise<Ended> =>
    runHere("npx", ["acp", ...args], { PATH: path, npm_config_offline: "true", npm_config_update_notifier: "false" });

  test("says what it can do, and its version", async () => {
    const help = await npx("--help");
    expect({ code: help.code, stderr: help.stderr }).toEqual({ code: 0, stderr: "" });
    expect(help.stdout).toMatch(/^Usage: acp \[options\] <agent>\n[^]*\nCommands:\n {2}exec /u);
    const { version } = readManifest(join(cliFolder, "package.json"));
    const major = name.slice("node".length);
    expect((await npx("-V")).stdout).toMatch(
      new RegExp(`^acp ${version} \\(Node\\.js ${major}\\.\\S+, \\w+ \\w+\\)\n$`, "u"),
    );
    expect(await npx("help", "serve")).toMatchObject({ code: 0, stdout: expect.stringMatching(/^Usage: acp serve /u) });
  });

  test("runs a prompt, and writes its events as JSON", async () => {
    const { code, stdout, stderr } = await npx("exec", "--format", "json", "help", "--", ...reference);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    const events = stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as { readonly type?: unknown });
    expect(events.length).toBeGreaterThan(2);
    expect(events.every(({ type }) => typeof type === "string")).toBe(true);
  });

  test("examines an agent", async () => {
    const { code, stdout, stderr } = await npx("doctor", "--", ...reference);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toContain("reference-agent");
  });

  test("records an agent, replays it and inspects the recording", async () => {
    cpSync(join(cliFolder, "sample"), join(project, `sample-${name}`), { recursive: true });
    const main = join(installed, "dist/main.js");
    const talk = (...agent: string[]): Promise<Ended> =>
      npx("--plain", "--prompt", "Fix the failing test", "--allow", "--cwd", `sample-${name}`, "--", ...agent);
    const recorded = await talk(process.execPath, main, "record", `${name}.jsonl`, "--", ...reference);
    const replayed = await talk(process.execPath, main, "replay", `${name}.jsonl`);
    for (const { code, stdout, stderr } of [recorded, replayed]) {
      expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
      expect(stdout).toContain("all tests pass now");
    }
    expect(await npx("inspect", `${name}.jsonl`)).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/Nothing is wrong with the messages\.\n$/u),
    });
  });
});

describe.each<RuntimeName>(["deno", "bun"])("acp on %s", (name) => {
  const acp = (...args: string[]): Promise<Ended> => {
    const { command, args: all } = commandOn(name, join(installed, "dist/main.js"), args);
    return runHere(command, all);
  };

  test("says what it can do, and runs a prompt", async () => {
    expect(await acp("--help")).toMatchObject({ code: 0, stdout: expect.stringMatching(/^Usage: acp /u) });
    expect((await acp("--version")).stdout).toMatch(new RegExp(`\\(${name} `, "iu"));
    const talked = await acp("--plain", "--prompt", "help", "--", ...reference);
    expect({ code: talked.code, stderr: talked.stderr }).toEqual({ code: 0, stderr: "" });
    const { code, stderr } = await acp("exec", "--format", "json", "help", "--", ...reference);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  });
});

test.each([
  [["--help"], 0],
  [["--version"], 0],
  [["exec", "--help"], 0],
  [["help", "serve"], 0],
  [["completion", "bash"], 0],
  [["exec", "--nonsense"], 2],
  [["serve", "--port"], 2],
])("acp %j loads a few small files, and no toolkit", async (args, code) => {
  const list = join(base, "loaded.txt");
  const hook = join(base, "hook.mjs");
  writeFileSync(
    hook,
    `import { appendFileSync } from "node:fs";
import { registerHooks } from "node:module";
registerHooks({
  load(url, context, next) {
    if (url.startsWith("file:")) appendFileSync(${JSON.stringify(list)}, url + "\\n");
    return next(url, context);
  },
});
`,
  );
  rmSync(list, { force: true });
  const { command, args: all } = commandOn("node24", join(installed, "dist/main.js"), args);
  expect(await runHere(command, ["--import", hook, ...all])).toMatchObject({ code });
  const loaded = readFileSync(list, "utf8").trimEnd().split("\n");
  expect(loaded.filter((url) => !url.includes("/@acp/cli/dist/"))).toEqual([]);
  expect(loaded.length).toBeLessThan(8);
});
