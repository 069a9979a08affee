// A program of this repository from the tarballs of a release, in an empty folder, with an empty home and without a network.
import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";

import { type Manifest, pack, programFolders, publicPackages, readManifest, run } from "../support/packages.ts";
import { commandOn, executableOf, type RuntimeName } from "../support/runtimes.ts";

export interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export class PackedProgram {
  /** The empty folder. */
  readonly project: string;
  /** The package in it. */
  readonly installed: string;
  /** The package in this repository. */
  readonly folder: string;
  readonly manifest: Manifest;
  readonly #base: string;

  /** `install` has to come next. */
  constructor(folder: string) {
    this.folder = folder;
    this.manifest = readManifest(join(folder, "package.json"));
    this.#base = realpathSync(mkdtempSync(join(tmpdir(), "acp-packed-program-")));
    this.project = join(this.#base, "project");
    this.installed = join(this.project, "node_modules", this.manifest.name);
  }

  /** Installs it; returns the tarball. */
  async install(): Promise<string> {
    const { name } = this.manifest;
    const tarballs = await pack([...neededBy(name)], this.#base);
    mkdirSync(this.project);
    mkdirSync(this.#home);
    const dependencies = Object.fromEntries([...tarballs].map(([needed, tarball]) => [needed, `file:${tarball}`]));
    const manifest = { name: "empty", version: "1.0.0", private: true, dependencies };
    writeFileSync(join(this.project, "package.json"), JSON.stringify(manifest));
    await run("npm", ["install", "--offline", "--no-audit", "--no-fund"], this.project);
    return tarballs.get(name) ?? "";
  }

  remove(): void {
    rmSync(this.#base, { recursive: true });
  }

  get #home(): string {
    return join(this.#base, "home");
  }

  get main(): string {
    return join(this.installed, "dist/main.js");
  }

  /** Runs a program in the folder, with nothing of the user's but `PATH`. */
  runHere(command: string, args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Ended> {
    const path = process.env["PATH"] ?? "";
    return new Promise((resolve) => {
      const child = execFile(
        command,
        args,
        { cwd: this.project, env: { PATH: path, HOME: this.#home, ...env } },
        (error, stdout, stderr) => resolve({ code: error === null ? 0 : Number(error.code ?? -1), stdout, stderr }),
      );
      child.stdin?.end();
    });
  }

  /** Runs it by its name, as a user does. */
  npx(runtime: RuntimeName, args: readonly string[]): Promise<Ended> {
    const path = `${dirname(executableOf(runtime))}${delimiter}${process.env["PATH"]}`;
    const env = { PATH: path, npm_config_offline: "true", npm_config_update_notifier: "false" };
    return this.runHere("npx", args, env);
  }

  /** How to run it on a runtime. */
  commandOn(runtime: RuntimeName, args: readonly string[]): readonly [string, ...string[]] {
    const { command, args: all } = commandOn(runtime, this.main, args);
    return [command, ...all];
  }

  /** Runs it on a runtime that has no `npx`. */
  runOn(runtime: RuntimeName, args: readonly string[]): Promise<Ended> {
    const [command, ...all] = this.commandOn(runtime, args);
    return this.runHere(command, all);
  }

  /** Runs it on Node, and lists the files that it loads. */
  async runAndListFiles(
    args: readonly string[],
  ): Promise<{ readonly ended: Ended; readonly files: readonly string[] }> {
    const list = join(this.#base, "loaded.txt");
    const hook = join(this.#base, "hook.mjs");
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
    const { command, args: all } = commandOn("node24", this.main, args);
    const ended = await this.runHere(command, ["--import", hook, ...all]);
    return { ended, files: readFileSync(list, "utf8").trimEnd().split("\n") };
  }

  /** The packages whose code is in it, and in its sources, and of which the licences say nothing. */
  listUnlicensed(): { readonly bundled: readonly string[]; readonly unlicensed: readonly string[] } {
    const { devDependencies } = JSON.parse(readFileSync(join(this.folder, "package.json"), "utf8")) as {
      readonly devDependencies: Readonly<Record<string, string>>;
    };
    const code = this.#readSources();
    const built = readdirSync(join(this.installed, "dist"))
      .filter((file) => file.endsWith(".js"))
      .map((file) => readFileSync(join(this.installed, "dist", file), "utf8"))
      .join("\n");
    const isNamed = (name: string): boolean => new RegExp(`"${name}(?:/[^"]+)?"`, "u").test(code);
    const isForeign = (name: string): boolean => !/^@(?:acp|types)\//u.test(name);
    const named = Object.keys(devDependencies).filter(isNamed);
    // Packages of this repository that are in it bring theirs. Of each module, there is a remark where its code begins.
    const brought = publicPackages()
      .filter(({ manifest }) => named.includes(manifest.name))
      .flatMap(({ manifest }) => Object.keys(manifest.dependencies ?? {}))
      .filter((name) => built.includes(`/node_modules/${name}/`));
    const bundled = [...new Set([...named, ...brought])].filter(isForeign);
    const licenses = this.licenses;
    const isLicensed = (name: string): boolean => new RegExp(`^${name} \\d+\\.\\S+ \\(.+\\)$`, "mu").test(licenses);
    return { bundled, unlicensed: bundled.filter((name) => !isLicensed(name)) };
  }

  get licenses(): string {
    return readFileSync(join(this.installed, "dist/THIRD-PARTY-LICENSES.txt"), "utf8");
  }

  /** The code of the program, without its tests. */
  #readSources(): string {
    const folder = join(this.folder, "src");
    const files = readdirSync(folder, { recursive: true, encoding: "utf8" });
    const own = files.filter((file) => /\.tsx?$/u.test(file) && !/\.test\.|[/\\]testing[/\\]/u.test(file));
    return own.map((file) => readFileSync(join(folder, file), "utf8")).join("\n");
  }
}

/** A package of this repository, and all that it needs. */
function neededBy(name: string, found: Set<string> = new Set()): Set<string> {
  if (found.has(name)) return found;
  found.add(name);
  const manifests = [
    ...programFolders.map((folder) => readManifest(join(folder, "package.json"))),
    ...publicPackages().map(({ manifest }) => manifest),
  ];
  const { dependencies = {} } = manifests.find((manifest) => manifest.name === name) ?? {};
  for (const dependency of Object.keys(dependencies)) neededBy(dependency, found);
  return found;
}
