// The program `acp` from the tarballs of a release, in an empty folder, with an empty home and without a network.
import { cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { publint } from "publint";
import { formatMessage } from "publint/utils";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { cliFolder, readManifest, root } from "../support/packages.ts";
import type { RuntimeName } from "../support/runtimes.ts";
import { type Ended, PackedProgram } from "./packed-program.ts";

const program = new PackedProgram(cliFolder);
const { installed, project } = program;
const reference = [process.execPath, join(root, "apps/agent/dist/main.js"), "--no-model", "--pace", "0"];

beforeAll(async () => {
  await program.install();
});
afterAll(() => program.remove());

describe("the package @acp/cli", () => {
  test("is well formed, and names its requirements", async () => {
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
    for (const file of ["LICENSE", "README.md", "schema/config.schema.json", "schema/check-report.schema.json"])
      expect([file, existsSync(join(installed, file))]).toEqual([file, true]);
  });

  test("needs no files of others", () => {
    const { dependencies = {} } = readManifest(join(installed, "package.json"));
    expect(Object.keys(dependencies).filter((name) => !name.startsWith("@acp/"))).toEqual([]);
    expect(readdirSync(join(project, "node_modules")).filter((name) => !/^(?:\.|@acp$)/u.test(name))).toEqual([]);
  });

  test("has the licence of each package whose code is in it", () => {
    const { bundled, unlicensed } = program.listUnlicensed();
    expect(bundled.length).toBeGreaterThan(5);
    expect(unlicensed).toEqual([]);
    const { licenses } = program;
    for (const entry of licenses.split(`\n\n${"-".repeat(80)}\n\n`).slice(1)) {
      expect(entry).toMatch(/^\S+ \d+\.\S+ \((?:MIT|ISC|BSD-[23]-Clause|Apache-2\.0|0BSD)\)\n/u);
      expect(entry).toMatch(/copyright/iu);
      expect(entry.length).toBeGreaterThan(500);
    }
    expect(licenses).not.toContain(root);
  });
});

describe.each<RuntimeName>(["node22", "node24"])("npx acp on %s", (name) => {
  const npx = (...args: string[]): Promise<Ended> => program.npx(name, ["acp", ...args]);

  test("lists its abilities, and its version", async () => {
    const help = await npx("--help");
    expect({ code: help.code, stderr: help.stderr }).toEqual({ code: 0, stderr: "" });
    expect(help.stdout).toMatch(/^Usage: acp \[options\] <agent>\n[^]*\nCommands:\n[^]*\n {2}exec /u);
    const { version } = program.manifest;
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

  test("checks an agent of a single file, which needs no package", async () => {
    const file = `agent-${name}.mjs`;
    writeFileSync(
      join(project, file),
      `import { createInterface } from "node:readline";
for await (const line of createInterface({ input: process.stdin })) {
  const { id, method } = JSON.parse(line);
  const result = method === "initialize" ? { protocolVersion: 1, agentInfo: { name: "single", version: "1.0.0" } } : {};
  if (id !== undefined) console.log(JSON.stringify({ jsonrpc: "2.0", id, result }));
}
`,
    );
    const { code, stdout, stderr } = await npx("check", "--only", "answers-initialize", "--", process.execPath, file);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toMatch(/^PASS +answers-initialize\n[^]*Agent single 1\.0\.0, /u);
    const client = `${process.execPath} ${program.main} exec {prompt} -- {agent}`;
    const checked = await npx("check", "--only", "text-behind-the-answer", "--client", client);
    expect({ code: checked.code, stderr: checked.stderr }).toEqual({ code: 0, stderr: "" });
  });

  test("records an agent, replays it and inspects the recording", async () => {
    cpSync(join(cliFolder, "sample"), join(project, `sample-${name}`), { recursive: true });
    const { main } = program;
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
  const acp = (...args: string[]): Promise<Ended> => program.runOn(name, args);

  test("lists its abilities, and runs a prompt", async () => {
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
  const { ended, files } = await program.runAndListFiles(args);
  expect(ended).toMatchObject({ code });
  expect(files.filter((url) => !url.includes("/@acp/cli/dist/"))).toEqual([]);
  expect(files.length).toBeLessThan(8);
});
