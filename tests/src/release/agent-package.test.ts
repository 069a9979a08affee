// The program `acp-agent` from the tarballs of a release, in an empty folder, with an empty home and without a network.
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";

import { publint } from "publint";
import { formatMessage } from "publint/utils";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { agentFolder, readManifest, root } from "../support/packages.ts";
import type { RuntimeName } from "../support/runtimes.ts";
import { type Ended, PackedProgram } from "./packed-program.ts";

const program = new PackedProgram(agentFolder);
const { installed, project } = program;
const acp = join(root, "apps/client/dist/main.js");
let tarball: string;

beforeAll(async () => {
  tarball = await program.install();
});
afterAll(() => program.remove());

/** Sends a prompt to an agent with `acp`. */
function prompt(text: string, agent: readonly string[]): Promise<Ended> {
  return program.runHere(process.execPath, [acp, "exec", text, "--", ...agent]);
}

describe("the package @acp/agent", () => {
  test("is well formed, and names its requirements", async () => {
    const { messages, pkg } = await publint({ pkgDir: installed, pack: false, level: "suggestion", strict: true });
    expect(messages.map((message) => formatMessage(message, pkg, { color: false }))).toEqual([]);
    const { description, license, engines, bin, publishConfig } = readManifest(join(installed, "package.json"));
    expect({ license, engines, bin }).toEqual({
      license: "Apache-2.0",
      engines: { node: ">=22" },
      bin: { "acp-agent": "./dist/main.js" },
    });
    expect(description).toMatch(/^.{20,}\.$/u);
    expect(publishConfig).toMatchObject({ access: "public", provenance: true });
    expect(readFileSync(program.main, "utf8")).toMatch(/^#!\/usr\/bin\/env node\n/u);
    for (const file of ["LICENSE", "README.md", "schema/config.schema.json"])
      expect([file, existsSync(join(installed, file))]).toEqual([file, true]);
  });

  test("needs no files of others", () => {
    const { dependencies = {} } = readManifest(join(installed, "package.json"));
    expect(Object.keys(dependencies).filter((name) => !name.startsWith("@acp/"))).toEqual([]);
    expect(readdirSync(join(project, "node_modules")).filter((name) => !/^(?:\.|@acp$)/u.test(name))).toEqual([]);
  });

  test("has the licence of each package whose code is in it", () => {
    const { bundled, unlicensed } = program.listUnlicensed();
    expect(bundled).toEqual(expect.arrayContaining(["ai", "@ai-sdk/anthropic", "@modelcontextprotocol/client"]));
    expect(unlicensed).toEqual([]);
    expect(program.licenses).not.toContain(root);
  });

  test("is within its budget", () => {
    expect(statSync(tarball).size).toBeLessThan(700_000);
    // A budget far above the size watches over nothing.
    expect(statSync(tarball).size).toBeGreaterThan(350_000);
  });
});

describe.each<RuntimeName>(["node22", "node24"])("npx acp-agent on %s", (name) => {
  test("lists its abilities, and its version", async () => {
    const help = await program.npx(name, ["acp-agent", "--help"]);
    expect({ code: help.code, stderr: help.stderr }).toEqual({ code: 0, stderr: "" });
    expect(help.stdout).toMatch(/^Usage: acp-agent \[options\]\n/u);
    expect((await program.npx(name, ["acp-agent", "--version"])).stdout).toContain(program.manifest.version);
  });

  test("answers a first prompt without a model", async () => {
    const { code, stdout, stderr } = await prompt("help", ["npx", "--offline", "acp-agent", "--pace", "0"]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toContain("fix");
  });
});

test.each<RuntimeName>(["deno", "bun"])("acp-agent answers a first prompt on %s", async (name) => {
  expect(await program.runOn(name, ["--help"])).toMatchObject({ code: 0, stderr: "" });
  const agent = program.commandOn(name, ["--pace", "0"]);
  const { code, stdout, stderr } = await prompt("help", agent);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(stdout).toContain("fix");
});

test.each([["--help"], ["--version"], ["--nonsense"], ["--no-model"]])(
  "acp-agent %s loads nothing that only a model needs",
  async (option) => {
    const { files } = await program.runAndListFiles([option]);
    const own = files.filter((url) => url.includes("/@acp/agent/"));
    expect(own.length).toBeGreaterThan(1);
    expect(own.length).toBeLessThanOrEqual(3);
  },
);
