import process from "node:process";

import { askForOptions, CancelledError } from "../options/ask.ts";
import { help, type Options, type PackageManager, readOptions, UsageError } from "../options/options.ts";
import { quote, runScript } from "../project/commands.ts";
import { NameError, projectNames } from "../project/names.ts";
import type { Plan } from "../project/plan.ts";
import { projectFiles } from "../project/project-files.ts";
import { executableOf, usedPackageManager, usedRuntime } from "./host.ts";
import { runCommand } from "./run-command.ts";
import { findTarballs } from "./tarballs.ts";
import { checkFolder, writeProject } from "./write-project.ts";

/** What a project cannot be called, because it has a package of that name. */
const taken = ["ai", "react", "react-dom", "vite", "typescript", "oxlint"];

/** Runs the program; returns its exit code. */
export async function runProgram(args: readonly string[], version: string): Promise<number> {
  try {
    const options = readOptions(args);
    if (options.help) process.stdout.write(help);
    else if (options.version) process.stdout.write(`${version}\n`);
    else await makeProject(isInteractive(options) ? await askForOptions(options) : options, version);
    return 0;
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    if (error instanceof CancelledError) return 130;
    return error instanceof UsageError || error instanceof NameError ? 2 : 1;
  }
}

function isInteractive({ yes, dryRun }: Options): boolean {
  const inAutomation = (process.env["CI"] ?? "") !== "" && process.env["CI"] !== "false";
  return !yes && !dryRun && !inAutomation && process.stdin.isTTY && process.stderr.isTTY;
}

async function makeProject(options: Options, version: string): Promise<void> {
  const plan = planOf(options, version);
  checkFolder(plan.folder);
  const files = projectFiles(plan);
  if (options.dryRun) {
    const lines = [...files.keys()].toSorted().map((file) => `  ${file}\n`);
    process.stdout.write(`${plan.folder} would get ${files.size} files:\n${lines.join("")}`);
    return;
  }
  writeProject(plan.folder, files);
  if (options.git) await makeRepository(plan.folder, () => installIf(options, plan));
  else await installIf(options, plan);
  process.stdout.write(nextSteps(plan, options.install === true));
}

function planOf(options: Options, version: string): Plan {
  const { template = "model", language = "ts" } = options;
  const packageManager = packageManagerOf(options);
  const runtime = options.runtime ?? usedRuntime(packageManager);
  const name = options.name ?? { model: "my-agent", echo: "my-agent", client: "my-client", page: "my-page" }[template];
  return {
    ...projectNames(name, process.cwd(), taken),
    template,
    language,
    runtime,
    packageManager,
    version,
    executable: executableOf(runtime),
    tarballs: options.packages === undefined ? undefined : findTarballs(options.packages, process.cwd()),
  };
}

/** Deno installs for itself only, and no tarballs. @throws {UsageError} if the options ask for that. */
function packageManagerOf({ packageManager, runtime = "deno", packages }: Options): PackageManager {
  const denoCan = runtime === "deno" && packages === undefined;
  if (packageManager === "deno" && !denoCan) {
    const what = packages === undefined ? `a project of ${runtime}` : "the tarballs of --packages";
    throw new UsageError(`--pm deno cannot install ${what}. Choose npm, pnpm, yarn or bun.`);
  }
  const used = packageManager ?? usedPackageManager();
  return used === "deno" && !denoCan ? "npm" : used;
}

async function installIf({ install }: Options, { packageManager, executable, folder }: Plan): Promise<void> {
  const command = packageManager === "deno" ? executable : packageManager;
  if (install === true) await runCommand([command, "install"], folder);
}

/** The lock file belongs into the first commit. */
async function makeRepository(folder: string, install: () => Promise<void>): Promise<void> {
  await runCommand(["git", "init", "--quiet"], folder);
  await install();
  await runCommand(["git", "add", "--all"], folder);
  await runCommand(["git", "commit", "--quiet", "--message", "Start"], folder);
}

function nextSteps({ folder, packageManager, runtime, template, id }: Plan, isInstalled: boolean): string {
  const script = runScript(runtime, packageManager);
  const steps = [
    ...(folder === process.cwd() ? [] : [`cd ${quote(relativeTo(process.cwd(), folder))}`]),
    ...(isInstalled ? [] : [`${packageManager} install`]),
    `${script} start`,
    ...(isInstalled || folder === process.cwd() ? [`${script} test`] : []),
  ];
  const what = { model: "agent", echo: "agent", client: "client", page: "page" }[template];
  return `The ${what} ${id} is in ${folder}. Next:\n\n${steps
    .slice(0, 3)
    .map((step) => `  ${step}\n`)
    .join("")}\nREADME.md has the rest.\n`;
}

function relativeTo(from: string, to: string): string {
  return to.startsWith(`${from}/`) ? to.slice(from.length + 1) : to;
}
