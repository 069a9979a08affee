/** The runtimes under test, and where their programs are. */
import { existsSync } from "node:fs";
import process from "node:process";
import { fileURLToPath } from "node:url";

export type RuntimeName = "node20" | "node22" | "node24" | "node26" | "deno" | "deno28" | "bun";

interface RuntimeUnderTest {
  /** As people say it. */
  readonly title: string;
  /** Where it is below `node_modules` of `tests/runtimes`. */
  readonly file: string;
  /** What comes before a program's file on its command line. */
  readonly args: readonly string[];
  /** What comes before that to run the workspace's TypeScript itself. */
  readonly sourceArgs: readonly string[];
}

const onWindows = process.platform === "win32";
/** As the packages on npm are named. */
const target = `${onWindows ? "win" : process.platform}-${process.arch}`;
/** What programs end in. */
const extension = onWindows ? ".exe" : "";

const conditions = "--conditions=@acp/source";
const denoArgs = ["run", "--allow-all", "--quiet", "--no-lock", "--cached-only"];

function node(major: number): RuntimeUnderTest {
  const sourceArgs = [conditions, "--disable-warning=ExperimentalWarning"];
  return { title: `Node ${major}`, file: `node${major}-${target}/bin/node${extension}`, args: [], sourceArgs };
}

const deno: RuntimeUnderTest = {
  title: "Deno",
  file: `deno/deno${extension}`,
  // Everything is permitted, since what the scenarios look at needs it; permissions have a test of their own.
  args: denoArgs,
  sourceArgs: [...denoArgs, conditions],
};

export const runtimes: Readonly<Record<RuntimeName, RuntimeUnderTest>> = {
  node20: node(20),
  node22: node(22),
  node24: { ...node(24), file: `../../../node_modules/node-${target}/bin/node${extension}` },
  node26: node(26),
  deno,
  // The oldest that is promised: installed packages run on it, and suites that are asked to.
  deno28: { ...deno, title: "Deno 2.8", file: `deno-2.8/deno${extension}` },
  bun: {
    title: "Bun",
    file: "bun/bin/bun.exe",
    args: ["--no-install"],
    sourceArgs: ["--no-install", conditions],
  },
};

/** Those that every suite runs on. */
export const runtimeNames: readonly RuntimeName[] = Object.keys(runtimes)
  .filter(isRuntimeName)
  .filter((name) => name !== "deno28");

export function isRuntimeName(name: string): name is RuntimeName {
  return Object.hasOwn(runtimes, name);
}

/**
 * How to run a program on a runtime. `ACP_<NAME>`, such as `ACP_NODE20`, may say where that runtime is.
 *
 * @throws if it is not installed.
 */
export function commandOn(
  name: RuntimeName,
  file: string,
  args: readonly string[],
): { command: string; args: string[] } {
  return { command: executableOf(name), args: [...runtimes[name].args, file, ...args] };
}

/** The same for a program that is not built. */
export function sourceCommandOn(
  name: RuntimeName,
  file: string,
  args: readonly string[],
): { command: string; args: string[] } {
  return { command: executableOf(name), args: [...runtimes[name].sourceArgs, file, ...args] };
}

/**
 * Where a runtime is.
 *
 * @throws if it is not installed.
 */
export function executableOf(name: RuntimeName): string {
  const variable = `ACP_${name.toUpperCase()}`;
  const { title, file } = runtimes[name];
  const installed = fileURLToPath(new URL(`../../runtimes/node_modules/${file}`, import.meta.url));
  const executable = process.env[variable] ?? installed;
  if (existsSync(executable)) return executable;
  throw new Error(
    `${title} is missing: run \`node tools/pnpm.mjs install\`, which installs it from npm, or set ${variable} to its executable (looked for ${executable})`,
  );
}
