// What the README of @acp/codegen says of the protocol's own schema works with the package as it is published, on the
// oldest Node. What it says of methods of one's own is in `own-methods.test.ts`.
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";

import { type AgentDefinition, type ClientDefinition, createMemoryTransportPair } from "@acp/core";
import { afterAll, beforeAll, expect, test } from "vitest";

import { pack, readManifest, root, run } from "../support/packages.ts";
import { executableOf } from "../support/runtimes.ts";

// Inside this package, so that the names of the other packages resolve as they do for whoever installed them.
const folder = mkdtempSync(join(root, "tests/node_modules/.codegen-readme-"));
afterAll(() => rmSync(folder, { recursive: true }));

const readme = readFileSync(join(root, "codegen/README.md"), "utf8");
const blocks = new Map([...readme.matchAll(/^```\w+ (\S+)\n(.*?)^```$/gms)].map(([, name, code]) => [name, code]));

// As npm lays out what is installed. The dependencies of the generator are there already; no network is needed.
beforeAll(async () => {
  const modules = join(folder, "node_modules");
  const codegen = join(modules, "@acp/codegen");
  mkdirSync(codegen, { recursive: true });
  const tarball = (await pack(["@acp/codegen"], folder)).get("@acp/codegen") ?? "";
  await run("tar", ["-xzf", tarball, "--strip-components=1", "-C", codegen], folder);
  const { bin, dependencies } = readManifest(join(codegen, "package.json"));
  for (const name of [...Object.keys(dependencies ?? {}), "@agentclientprotocol/sdk"]) {
    mkdirSync(dirname(join(modules, name)), { recursive: true });
    symlinkSync(join(root, "codegen/node_modules", name), join(modules, name), "junction");
  }
  const command = join(folder, "acp-codegen");
  const program = join(codegen, bin?.["acp-codegen"] ?? "");
  writeFileSync(command, `#!/bin/sh\nexec "${executableOf("node20")}" "${program}" "$@"\n`);
  chmodSync(command, 0o755);
});

/** Runs commands of the README, without those that install. */
async function runCommands(commands: string): Promise<string> {
  const lines = commands.split("\n").filter((line) => !line.startsWith("npm install"));
  return await run("sh", ["-ec", lines.join("\n").replaceAll(/(?:npx )?acp-codegen/g, "./acp-codegen")], folder);
}

/** Checks the types of a program of the README, and returns where to import it from. */
async function checked(name: string): Promise<string> {
  writeFileSync(join(folder, name), blocks.get(name) ?? "");
  const compilerOptions = {
    target: "es2022",
    lib: ["es2022", "dom"],
    module: "nodenext",
    strict: true,
    noEmit: true,
    allowImportingTsExtensions: true,
    types: [],
  };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, files: [name] }));
  writeFileSync(join(folder, "package.json"), JSON.stringify({ type: "module" }));
  expect(await run(join(root, "node_modules/.bin/tsc"), ["--pretty", "false"], folder)).toBe("");
  return pathToFileURL(join(folder, name)).href;
}

test("the schema of the protocol becomes bindings for an agent and a client", async () => {
  await runCommands(blocks.get("protocol") ?? "false");

  const program: { readonly agent: AgentDefinition; readonly client: ClientDefinition } = await import(
    await checked("own-protocol.ts")
  );
  const [ours, theirs] = createMemoryTransportPair();
  program.agent.connect(theirs);
  const connected = await program.client.connect(ours);
  const session = await connected.newSession({ cwd: "/" });
  await expect(session.prompt("go").response).resolves.toEqual({ stopReason: "end_turn" });
  await connected.close();
});
