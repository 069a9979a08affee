// The day of somebody outside of this repository who has methods of their own: the programs of the README of @acp/codegen,
// in an empty folder in which the tarballs are installed.
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

import { afterAll, beforeAll, expect, test } from "vitest";

import { pack, publicPackages, readManifest, root, run } from "../support/packages.ts";

const base = realpathSync(mkdtempSync(join(tmpdir(), "acp-own-methods-")));
const project = join(base, "project");
afterAll(() => rmSync(base, { recursive: true }));

const readme = readFileSync(join(root, "codegen/README.md"), "utf8");
const blocks = new Map([...readme.matchAll(/^```\w+ (\S+)\n(.*?)^```$/gms)].map(([, name, code]) => [name, code]));

/** Packages of this repository, with those of it that they depend on. */
function withDependencies(names: readonly string[]): readonly string[] {
  const found = new Set<string>();
  const add = (name: string): void => {
    const manifest = publicPackages().find((known) => known.manifest.name === name)?.manifest;
    if (manifest === undefined || found.has(name)) return;
    found.add(name);
    for (const dependency of Object.keys(manifest.dependencies ?? {})) add(dependency);
  };
  for (const name of names) add(name);
  return [...found];
}

const ours = withDependencies(["@acp/codegen", "@acp/core", "@acp/node", "@acp/schema"]);

beforeAll(async () => {
  const tarballs = await pack(ours, base);
  const { dependencies: foreign = {} } = readManifest(join(root, "codegen/package.json"));
  const others = Object.keys(foreign).filter((name) => !name.startsWith("@acp/"));
  const found = Object.fromEntries([
    ...ours.map((name) => [name, `file:${tarballs.get(name)}`]),
    // Without a network, what others have published comes from this repository.
    ...others.map((name) => [name, `file:${realpathSync(join(root, "codegen/node_modules", name))}`]),
  ]);
  mkdirSync(project);
  // As the first lines of the README install it; npm takes no tarball on its command line that is an override as well.
  const [wanted, wantedForWork] = (blocks.get("start") ?? "")
    .split("\n")
    .map((line) => Object.fromEntries((line.match(/@acp\/\w+/g) ?? []).map((name) => [name, found[name]])));
  const manifest = {
    name: "acme",
    private: true,
    type: "module",
    dependencies: wanted,
    devDependencies: wantedForWork,
  };
  write("package.json", JSON.stringify({ ...manifest, overrides: found }, undefined, 2));
  await run("npm", ["install", "--offline", "--no-audit", "--no-fund"], project);
});

function write(name: string, text: string): void {
  const path = join(project, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

const npm = (...args: readonly string[]): Promise<string> => run("npm", ["--offline", ...args], project);
const acpCodegen = (...args: readonly string[]): Promise<string> => npm("exec", "--", "acp-codegen", ...args);

/** Checks the types of a program of the README with whatever it imports. */
async function typeErrors(...files: readonly string[]): Promise<string> {
  const compilerOptions = {
    target: "es2022",
    module: "nodenext",
    strict: true,
    exactOptionalPropertyTypes: true,
    noEmit: true,
    allowImportingTsExtensions: true,
    types: ["node"],
    typeRoots: [join(root, "node_modules/@types")],
  };
  write("tsconfig.json", JSON.stringify({ compilerOptions, files }));
  const tsc = join(root, "node_modules/typescript/bin/tsc");
  return await run(process.execPath, [tsc, "--pretty", "false"], project);
}

test("methods of one's own join those of the protocol, in an agent and a client", async () => {
  expect(await acpCodegen("init")).toContain("Written: acp-codegen.json, acme.schema.json\n");
  expect(readFileSync(join(project, "acp-codegen.json"), "utf8")).toBe(blocks.get("acp-codegen.json"));
  expect(await npm("run", "bindings")).toContain("7 files generated, 7 written, 0 removed.\n");
  const programs = ["src/protocol.ts", "src/agent.ts", "src/client.ts"];
  for (const name of programs) write(name, blocks.get(name) ?? "");
  expect(await typeErrors(...programs)).toBe("");
  expect(await run(process.execPath, ["src/client.ts"], project)).toBe("100 %\nwords 1, words 2\n");

  // What does not fit is not sent.
  write(
    "src/careless.ts",
    (blocks.get("src/client.ts") ?? "").replace('query: "words"', "query: 1 as unknown as string"),
  );
  await expect(run(process.execPath, ["src/careless.ts"], project)).rejects.toThrow(
    /UsageError: _acme\/search: \/query: expected a string, got 1/,
  );
  write("src/careless.ts", (blocks.get("src/client.ts") ?? "").replace('query: "words"', "query: 1"));
  await expect(typeErrors("src/careless.ts")).rejects.toThrow("Type 'number' is not assignable to type 'string'");
});

test("a changed schema is noticed, imported and generated again", async () => {
  await npm("run", "bindings:check");
  const schema = JSON.parse(readFileSync(join(project, "acme.schema.json"), "utf8"));
  schema.$defs.AcmeSearchRequest.properties.fuzzy = { type: "boolean" };
  write("newer.json", JSON.stringify(schema));
  expect(await acpCodegen("import", "newer.json", "acme.schema.json")).toContain(
    "+ added member AcmeSearchRequest.fuzzy: optional boolean",
  );
  await expect(npm("run", "bindings:check")).rejects.toThrow("Not as generated");
  await npm("run", "bindings");
  expect(readFileSync(join(project, "src/acme/types.ts"), "utf8")).toContain("fuzzy?: boolean;");
  expect(await acpCodegen("status")).toBe("Nothing is left to write.\n");
});

test("infer asks for quicktype-core, which is not installed with the rest", async () => {
  const message = { jsonrpc: "2.0", method: "_acme/ping", params: { text: "x" } };
  write("recording.ndjson", `${JSON.stringify(message)}\n`);
  expect(existsSync(join(project, "node_modules/quicktype-core"))).toBe(false);
  await expect(acpCodegen("infer", "recording.ndjson", "--out", "inferred")).rejects.toThrow(
    "acp-codegen: infer needs the package quicktype-core, which is not installed: npm install --save-dev quicktype-core@26\n",
  );
  expect(existsSync(join(project, "inferred"))).toBe(false);
  symlinkSync(
    join(root, "codegen/node_modules/quicktype-core"),
    join(project, "node_modules/quicktype-core"),
    "junction",
  );
  expect(await acpCodegen("infer", "recording.ndjson", "--out", "inferred")).toContain("Extension methods: 1.");
});
