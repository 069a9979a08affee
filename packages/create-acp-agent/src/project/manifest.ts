import type { Language } from "../options/options.ts";
import type { Plan } from "./plan.ts";

interface Manifest {
  readonly bin?: Readonly<Record<string, string>>;
  readonly files?: readonly string[];
  readonly scripts?: Readonly<Record<string, string>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
}

/** What a runtime demands in place of Node.js. */
const engines = { deno: { deno: ">=2.8" }, bun: { bun: ">=1.4" } } as const;

/** The `package.json` of the project, from that of the template, whose names and commands are filled in already. */
export function manifestText(template: string, plan: Plan): string {
  const { language, runtime, packageName, id, tarballs, packageManager } = plan;
  const manifest: Manifest = JSON.parse(template);
  const only = (names: Readonly<Record<string, string>> = {}): Record<string, string> =>
    Object.fromEntries(
      Object.entries(names)
        .filter(([name]) => language === "ts" || !isForTypes(name))
        .filter(([name]) => runtime !== "deno" || name !== "oxlint")
        .map(([name, version]) => [name, versionOf(name, version, plan)]),
    );
  const { bin } = manifest;
  const scripts = scriptsOf(manifest, language);
  const found = tarballs === undefined ? {} : foundBy(packageManager, tarballs);
  const all = {
    ...manifest,
    name: packageName,
    ...(bin === undefined ? {} : { bin: { [id]: `${language === "ts" ? "dist" : "src"}/main.js` } }),
    ...(manifest.files === undefined || language === "ts" ? {} : { files: ["src"] }),
    ...(runtime === "node" ? {} : { engines: engines[runtime] }),
    // Of Deno, they are tasks.
    scripts: runtime === "deno" ? { prepack: scripts["prepack"] } : scripts,
    dependencies: only(manifest.dependencies),
    devDependencies: only(manifest.devDependencies),
    ...found,
  };
  return `${JSON.stringify(all, undefined, 2)}\n`;
}

/** JavaScript needs no compiler. */
function scriptsOf({ scripts = {} }: Manifest, language: Language): Readonly<Record<string, string>> {
  const compiling = ["typecheck", "build", "prepack"];
  return Object.fromEntries(Object.entries(scripts).filter(([name]) => language === "ts" || !compiling.includes(name)));
}

/** Where the tools are. What package managers put into `.bin` is not always a program that Deno can run. */
const programs: Readonly<Record<string, string>> = {
  acp: "@acp/cli/dist/main.js",
  tsc: "typescript/bin/tsc",
  vite: "vite/bin/vite.js",
};

/** The tasks of Deno, which are the scripts of the template. */
export function denoText(template: string, { language }: Plan): string {
  const scripts = scriptsOf(JSON.parse(template), language);
  const lint = { exclude: ["dist"], rules: { exclude: ["no-import-prefix", "no-sloppy-imports"] } };
  const tasks = Object.fromEntries(
    Object.entries(scripts).map(([name, line]) => [
      name,
      line.replaceAll(/(?<=^|-- )(acp|tsc|vite)\b/gu, (tool) => `deno run --allow-all node_modules/${programs[tool]}`),
    ]),
  );
  return `${JSON.stringify({ tasks, nodeModulesDir: "manual", lint }, undefined, 2)}\n`;
}

function isForTypes(name: string): boolean {
  return name === "typescript" || name.startsWith("@types/");
}

function versionOf(name: string, version: string, { version: ours, tarballs }: Plan): string {
  if (!name.startsWith("@acp/")) return version;
  const tarball = tarballs?.get(name);
  return tarball === undefined ? ours : `file:${tarball}`;
}

/** Where the packages that a tarball depends on are. pnpm reads that elsewhere. */
function foundBy(packageManager: Plan["packageManager"], tarballs: ReadonlyMap<string, string>): object {
  const places = Object.fromEntries([...tarballs].map(([name, file]) => [name, `file:${file}`]));
  if (packageManager === "pnpm") return {};
  return packageManager === "yarn" ? { resolutions: places } : { overrides: places };
}
