// A library that exports what it has made with ours, and has its declarations written by the compiler: every inferred type
// needs a name that its own dependencies have.
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

import { afterAll, beforeAll, expect, test } from "vitest";

import { publicPackages, root, run } from "../support/packages.ts";

const project = realpathSync(mkdtempSync(join(tmpdir(), "acp-declarations-")));
afterAll(() => rmSync(project, { recursive: true }));

/** The folder that a package has to itself: beside it are those that it depends on, and no others. */
const home = (name: string): string => join(project, "node_modules/.store", name.replace("/", "+"), "node_modules");

function link(name: string, from: string): void {
  const path = join(from, name);
  mkdirSync(dirname(path), { recursive: true });
  symlinkSync(join(home(name), name), path, "junction");
}

// As pnpm lays packages out: nobody can resolve what is not among its own dependencies.
beforeAll(() => {
  const packages = publicPackages().filter(({ manifest }) => manifest.name !== "@acp/codegen");
  for (const { folder, manifest } of packages) {
    const target = join(home(manifest.name), manifest.name);
    cpSync(join(folder, "dist"), join(target, "dist"), { recursive: true });
    cpSync(join(folder, "package.json"), join(target, "package.json"));
    for (const name of Object.keys(manifest.dependencies ?? {})) link(name, home(manifest.name));
  }
  const used = ["core", "http", "proxy", "record", "go-dialect", "node", "deno", "bun", "validators"];
  for (const name of used) link(`@acp/${name}`, join(project, "node_modules"));
  cpSync(new URL("packaging/declarations", import.meta.url), project, { recursive: true });
});

const require = createRequire(new URL("../../runtimes/package.json", import.meta.url));

// Types are named by the entries that a program reads: whoever uses the unstable one may read no other.
const programs = [["stable.mts", "unstable.mts", "runtimes.mts"], ["unstable.mts"]];

test.each(["typescript-5.9", "typescript-7"].flatMap((typescript) => programs.map((files) => ({ typescript, files }))))(
  "are written for all that the packages make, in $files with $typescript",
  async ({ typescript, files }) => {
    const compilerOptions = {
      target: "es2022",
      lib: ["es2022", "dom"],
      module: "nodenext",
      strict: true,
      declaration: true,
      emitDeclarationOnly: true,
      rootDir: ".",
      outDir: typescript,
      types: ["node"],
      typeRoots: [join(root, "node_modules/@types")],
    };
    writeFileSync(join(project, "tsconfig.json"), JSON.stringify({ compilerOptions, files }));
    const tsc = join(dirname(require.resolve(`${typescript}/package.json`)), "bin/tsc");
    expect(await run(process.execPath, [tsc, "--pretty", "false"], project)).toBe("");
  },
);
