// The schema and the agent in the README of @acp/codegen do what is said there.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

import { type AgentDefinition, createClientFor, createMemoryTransportPair, extend, request, v1 } from "@acp/core";
import { afterAll, expect, test } from "vitest";

import { root, run } from "./packaging/packages.ts";

// Inside this package, so that the names of the packages resolve as they do for whoever installed them.
const folder = mkdtempSync(join(root, "tests/node_modules/.codegen-readme-"));
afterAll(() => rmSync(folder, { recursive: true }));

const readme = readFileSync(join(root, "codegen/README.md"), "utf8");
const blocks = new Map([...readme.matchAll(/^```\w+ (\S+)\n(.*?)^```$/gms)].map(([, name, code]) => [name, code]));

test("a schema of one's own becomes methods that are typed and checked", { timeout: 60_000 }, async () => {
  for (const name of ["schema.json", "agent.ts"]) writeFileSync(join(folder, name), blocks.get(name) ?? "");
  const command = /`acp-codegen (generate schema\.json --out acme)`/.exec(readme)?.[1]?.split(" ") ?? [];
  await run(join(root, "tests/node_modules/.bin/acp-codegen"), command, folder);

  const compilerOptions = {
    target: "es2022",
    lib: ["es2022", "dom"],
    module: "nodenext",
    strict: true,
    noEmit: true,
    allowImportingTsExtensions: true,
    types: [],
  };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["agent.ts"] }));
  writeFileSync(join(folder, "package.json"), JSON.stringify({ type: "module" }));
  expect(await run(join(root, "node_modules/.bin/tsc"), ["--pretty", "false"], folder)).toBe("");

  const { agent }: { readonly agent: AgentDefinition } = await import(pathToFileURL(join(folder, "agent.ts")).href);
  const acme = extend(v1, { agent: { "_acme/search": request<{ query: unknown }, { hits: string[] }>() } });
  const [ours, theirs] = createMemoryTransportPair();
  agent.connect(theirs);
  const connected = await createClientFor(acme)({ info: { name: "client", version: "1" } }).connect(ours);
  await expect(connected.request("_acme/search", { query: "words" })).resolves.toEqual({ hits: ["one for words"] });
  await expect(connected.request("_acme/search", { query: 1 })).rejects.toThrow("/query: expected a string");
  await connected.close();
});
