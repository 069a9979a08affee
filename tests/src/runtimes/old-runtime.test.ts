// On a runtime that is too old, processes would outlive their clients without a word: it is refused instead.
import { execFileSync, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

import { describe, expect, test } from "vitest";

import { readManifest, root } from "../support/packages.ts";
import { executableOf } from "../support/runtimes.ts";

const program = fileURLToPath(new URL("../../dist/runtimes/programs/old-deno.js", import.meta.url));

test("Deno that takes itself for an older one neither serves nor starts an agent", () => {
  const flags = ["run", "--allow-all", "--quiet", "--no-lock", "--cached-only"];
  const args = [...flags, program, "--runtime", "deno", "--version", "2.7.14"];
  const refusal = "Deno 2.8 or newer is needed, this is Deno 2.7.14";
  expect(JSON.parse(execFileSync(executableOf("deno"), args, { encoding: "utf8" }))).toEqual([refusal, refusal]);
});

test.each(["deno", "bun"] as const)(
  "serveStdio() of @acp/node refuses to serve on %s, where console would print to stdout",
  (name) => {
    const entry = pathToFileURL(join(root, "packages/node/dist/index.js")).href;
    const code = `
    import { createAgent } from "@acp/core";
    import { serveStdio } from "${entry}";
    const handlers = { "session/prompt": () => ({ stopReason: "end_turn" }) };
    await serveStdio(createAgent({ info: { name: "test", version: "1.0.0" }, handlers })).catch((error) => console.error(String(error)));
  `;
    const flags = name === "deno" ? ["eval", "--quiet", "--no-lock", "--cached-only"] : ["--no-install", "--eval"];
    const { stderr } = spawnSync(executableOf(name), [...flags, code], {
      cwd: fileURLToPath(new URL("../..", import.meta.url)),
      encoding: "utf8",
    });
    expect(stderr.trim()).toMatch(new RegExp(`^UsageError: .* take that of .*@acp/${name}`));
  },
);

describe.each(["deno", "bun"])("@acp/%s", (name) => {
  test("says on Node that it is for another runtime", () => {
    const entry = pathToFileURL(join(root, "packages", name, "dist/index.js")).href;
    const code = `
      import { createAgent, createClient } from "@acp/core";
      import { serveStdio, spawnAgent } from "${entry}";
      const info = { name: "test", version: "1.0.0" };
      const agent = createAgent({ info, handlers: { "session/prompt": () => ({ stopReason: "end_turn" }) } });
      const calls = [() => serveStdio(agent), () => spawnAgent(createClient({ info }), { command: "true" })];
      for (const call of calls) await call().catch((error) => console.error(String(error)));
    `;
    const { stderr } = spawnSync(executableOf("node20"), ["--input-type=module", "-e", code], {
      cwd: fileURLToPath(new URL("../..", import.meta.url)),
      encoding: "utf8",
    });
    const refusal = new RegExp(`^UsageError: ${name} [\\d.]+ or newer is needed, this is another runtime$`, "i");
    expect(stderr.trim().split("\n")).toEqual([expect.stringMatching(refusal), expect.stringMatching(refusal)]);
  });

  test("asks for the same version in its code, its manifest and its README", () => {
    const folder = join(root, "packages", name);
    const code = readFileSync(join(folder, `src/runtime/require-${name}.ts`), "utf8");
    const minimum = /requireVersion\("\w+", .*, "([\d.]+)"\)/.exec(code)?.[1];
    expect(readManifest(join(folder, "package.json")).engines).toEqual({ [name]: `>=${minimum}` });
    expect(readFileSync(join(folder, "README.md"), "utf8")).toMatch(
      new RegExp(`needs ${name} ${minimum} or newer`, "i"),
    );
  });
});

describe("an old Node.js", () => {
  // Its own modules are those of the Node.js that runs: what is tested is the refusal, before anything that it would lack.
  const flags = ["--input-type=module", "--eval"];
  const old = `Object.defineProperty(process, "versions", { value: { ...process.versions, node: "18.20.8" } });`;
  const refusal = "Node.js 20 or newer is needed, this is Node.js 18.20.8";

  test("neither serves nor starts an agent, nor answers HTTP", () => {
    const entry = (name: string): string => pathToFileURL(join(root, "packages/node/dist", name)).href;
    const code = `${old}
      import { createAgent, createClient } from "@acp/core";
      import { serveStdio, spawnAgent, spawnTransport } from "${entry("index.js")}";
      import { nodeHttpHandler, nodeUpgradeHandler } from "${entry("http.js")}";
      const info = { name: "test", version: "1.0.0" };
      const agent = createAgent({ info, handlers: { "session/prompt": () => ({ stopReason: "end_turn" }) } });
      const attempts = [
        () => serveStdio(agent), () => spawnAgent(createClient({ info }), { command: "true" }),
        () => spawnTransport({ command: "true" }), () => nodeHttpHandler({}), () => nodeUpgradeHandler({}, {}),
      ];
      for (const attempt of attempts) {
        await Promise.resolve().then(attempt).catch((error) => console.error(error.name + ": " + error.message));
      }
    `;
    const cwd = fileURLToPath(new URL("../..", import.meta.url));
    const { stderr } = spawnSync(executableOf("node22"), [...flags, code], { cwd, encoding: "utf8" });
    expect(stderr.trim().split("\n")).toEqual(Array(5).fill(`UsageError: ${refusal}`));
  });

  test.each([
    ["apps/client", "acp", "18.20.8", 22],
    ["apps/agent", "acp-agent", "19.9.0", 22],
    ["packages/inspect", "acp-inspect", "18.20.8", 20],
  ])("is refused by the program in %s, %s, as %s", (folder, name, version, minimum) => {
    const pretend = `data:text/javascript,${encodeURIComponent(old.replace("18.20.8", version))}`;
    const args = ["--import", pretend, join(root, folder, "dist/main.js"), "--version"];
    const { status, stdout, stderr } = spawnSync(executableOf("node22"), args, { encoding: "utf8" });
    const said = `${name} needs Node.js ${minimum} or newer, this is Node.js ${version}\n`;
    expect({ status, stdout, stderr }).toEqual({ status: 1, stdout: "", stderr: said });
    const manifest = readManifest(join(root, folder, "package.json"));
    expect(manifest.engines).toMatchObject({ node: `>=${minimum}` });
  });

  test("is the same one in the manifest and the README of @acp/node", () => {
    const folder = join(root, "packages/node");
    expect(readManifest(join(folder, "package.json")).engines).toEqual({ node: ">=20" });
    expect(readFileSync(join(folder, "README.md"), "utf8")).toContain("needs Node.js 20 or newer");
  });
});
