// `run-rehearsal.ts [--tarballs <folder>] [--skip-offline]`: a release from its first step to its last, in a copy of the repository and with a
// registry on this machine. With tarballs, those are checked, and no others are made. Where no registry answers, it fails, or
// says so and passes. Runs inside pnpm.
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

import { publint } from "publint";
import { formatMessage } from "publint/utils";

import { programFolders, publicPackages, readManifest, root } from "../../support/packages.ts";
import { executableOf } from "../../support/runtimes.ts";
import { Commands, freshEnvironment, ownEnvironment } from "./commands.ts";
import { LocalRegistry } from "./local-registry.ts";
import { installAll, runCreator, runOnBun, runOnDeno, runOnNode, runPrograms } from "./scratch-projects.ts";

const { values } = parseArgs({ options: { tarballs: { type: "string" }, "skip-offline": { type: "boolean" } } });

/** Foreign packages cannot be installed. */
class NoRegistryError extends Error {}

const stop = new AbortController();
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
  process.once(signal, () => stop.abort(new Error(`Stopped by ${signal}`)));
const commands = new Commands(stop.signal);
const started = performance.now();
const publishTool = join(root, "tools/publish.mjs");
const own = ownEnvironment();
await useCertificatesOfNpm();

const base = realpathSync(mkdtempSync(join(tmpdir(), "acp-release-")));
try {
  await rehearse();
  console.log(`The rehearsal took ${since(started)}. Nothing was published, and nothing is left.`);
} catch (error) {
  const { aborted, reason } = stop.signal;
  if (!aborted && error instanceof NoRegistryError && values["skip-offline"]) console.log(`Skipped: ${error.message}`);
  else {
    console.error(aborted ? String(reason.message) : error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
} finally {
  rmSync(base, { recursive: true, force: true, maxRetries: 5 });
}

async function rehearse(): Promise<void> {
  const upstream = await step("programs and a registry are there", findRequirements);
  const copy = join(base, "repository");
  const tarballs = values.tarballs === undefined ? join(copy, "dist") : resolve(root, values.tarballs);
  if (values.tarballs === undefined) {
    await step("copy the repository, install", () => copyRepository(copy));
    await step("changeset version", () => raiseVersions(copy));
    await step("npm run pack", () => commands.run("npm", ["run", "pack"], copy, own));
  }
  const files = readdirSync(tarballs).filter((file) => file.endsWith(".tgz"));
  const packages = await Promise.all(files.map((file) => readPacked(join(tarballs, file))));
  await step("each package has a tarball, with its changelog", () => checkTarballs(packages));
  await step("publint", async () => {
    for (const { file } of packages) await checkByPublint(file);
  });
  await step("attw", () => checkByAttw(packages));
  {
    await using registry = await step("start a registry", () => LocalRegistry.start(join(base, "registry"), upstream));
    await step("publish", () => publish(tarballs, registry));
    await step("publish again, and leave out what is there", async () => {
      const lines = (await publish(tarballs, registry)).trimEnd().split("\n");
      const twice = lines.filter((line) => !line.endsWith("is on the registry already"));
      if (twice.length > 0) throw new Error(`This was published twice:\n${twice.join("\n")}`);
    });
    const rehearsal = { base, registry, commands, version: packages[0]?.version ?? "" };
    await step("npm on Node 20: an agent and a client", () => runOnNode(rehearsal, "node20"));
    await step("npm on Node 26: an agent and a client", () => runOnNode(rehearsal, "node26"));
    await step("npx acp, npx acp-agent, npx acp-codegen", () => runPrograms(rehearsal));
    const names = packages.map(({ name }) => name);
    await step("npm install of every package", () => installAll(rehearsal, names));
    await step("deno add, deno install: an agent and a client", () => runOnDeno(rehearsal));
    await step("bun add: an agent and a client", () => runOnBun(rehearsal));
    await step("npm create acp-agent", () => runCreator(rehearsal, "node26"));
    await step("deno run npm:create-acp-agent", () => runCreator(rehearsal, "deno"));
    await step("bun create acp-agent", () => runCreator(rehearsal, "bun"));
  }
  await step("JSR, as a dry run", async () => {
    const sources = values.tarballs === undefined ? copy : root;
    const env = { ...own, ACP_DENO: executableOf("deno") };
    await commands.run(process.execPath, [join(sources, "tools/jsr.mjs"), "--dry-run"], sources, env);
  });
  console.log("\nA release would publish, in this order:");
  console.log(await commands.run(process.execPath, [publishTool, tarballs, "--dry-run"], root, own));
}

/** Publishes by the very program that a release runs. */
function publish(tarballs: string, registry: LocalRegistry): Promise<string> {
  const settings = join(base, "publisher");
  mkdirSync(settings, { recursive: true });
  registry.writeSettings(settings);
  const env = { ...freshEnvironment(join(base, "publisher-home")), npm_config_userconfig: join(settings, ".npmrc") };
  const args = [publishTool, tarballs, `--registry=${registry.url}`];
  return commands.run(process.execPath, args, settings, env);
}

/** Prints how long a step takes, and returns what it returns. */
async function step<Result>(name: string, run: () => Promise<Result>): Promise<Result> {
  stop.signal.throwIfAborted();
  const before = performance.now();
  try {
    const result = await run();
    console.log(`ok      ${since(before).padStart(7)}  ${name}`);
    return result;
  } catch (error) {
    console.log(`FAILED  ${since(before).padStart(7)}  ${name}`);
    throw error;
  }
}

function since(before: number): string {
  return `${((performance.now() - before) / 1000).toFixed(1)} s`;
}

/** Lets the registry on this machine, which is no npm, trust the certificates that npm trusts. */
async function useCertificatesOfNpm(): Promise<void> {
  const file = (await commands.run("npm", ["config", "get", "cafile"], root, own).catch(() => "")).trim();
  if (file === "" || file === "null") return;
  own["NODE_EXTRA_CA_CERTS"] ??= file;
  // What fresh environments begin with.
  process.env["NODE_EXTRA_CA_CERTS"] ??= file;
}

/** The registry that npm uses here. Throws, and says what is missing, if the rehearsal cannot run. */
async function findRequirements(): Promise<string> {
  const problems: string[] = [];
  for (const program of ["git", "npm", "tar"])
    await commands.run(program, ["--version"], root, own).catch(() => problems.push(`${program} is not on PATH.`));
  for (const name of ["node20", "node26", "deno", "bun"] as const) {
    try {
      executableOf(name);
    } catch (error) {
      problems.push(error instanceof Error ? error.message : String(error));
    }
  }
  if (problems.length > 0) throw new Error(`The rehearsal cannot run here:\n- ${problems.join("\n- ")}`);
  const upstream = (await commands.run("npm", ["config", "get", "registry"], root, own)).trim();
  // Foreign packages come from there: `ajv`, for example, which @acp/codegen needs.
  const options = ["--fetch-retries=1", "--fetch-timeout=30000", "--prefer-online"];
  await commands.run("npm", ["view", "ajv", "version", ...options], root, own).catch((error: unknown) => {
    stop.signal.throwIfAborted();
    const reason = error instanceof Error ? error.message : String(error);
    throw new NoRegistryError(
      `The registry ${upstream} does not answer, and foreign packages are installed from it:\n${reason}`,
    );
  });
  return upstream;
}

/** Copies what git knows and what it would add, and installs into that from the store of this checkout. */
async function copyRepository(copy: string): Promise<void> {
  const listed = await commands.run("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], root, own);
  for (const file of listed.split("\0").filter((path) => path !== "" && existsSync(join(root, path)))) {
    mkdirSync(dirname(join(copy, file)), { recursive: true });
    cpSync(join(root, file), join(copy, file));
  }
  const who = ["-c", "user.name=rehearsal", "-c", "user.email=rehearsal@localhost", "-c", "commit.gpgsign=false"];
  const git = (...args: readonly string[]): Promise<string> => commands.run("git", [...who, ...args], copy, own);
  await git("init", "--quiet", "--initial-branch=main");
  await git("add", "--all");
  await git("commit", "--quiet", "--no-verify", "--message=The repository");
  const pnpm = [join(copy, "tools/pnpm.mjs"), "install", "--frozen-lockfile", "--prefer-offline"];
  await commands.run(process.execPath, pnpm, copy, own);
}

async function raiseVersions(copy: string): Promise<void> {
  const changesets = readdirSync(join(copy, ".changeset")).filter((file) => file.endsWith(".md"));
  // Between two releases there may be no change yet.
  if (changesets.length === 0)
    writeFileSync(join(copy, ".changeset/rehearsal.md"), '---\n"@acp/core": patch\n---\n\nA rehearsal.\n');
  await commands.run("npm", ["run", "changeset", "--", "version"], copy, own);
}

interface Packed {
  readonly file: string;
  readonly name: string;
  readonly version: string;
}

async function readPacked(file: string): Promise<Packed> {
  const manifest = await commands.run("tar", ["-xzOf", file, "package/package.json"], base, own);
  const { name, version }: Omit<Packed, "file"> = JSON.parse(manifest);
  return { file, name, version };
}

/** Checks that every public package is there, in one version, and says what has changed in that. */
async function checkTarballs(packages: readonly Packed[]): Promise<void> {
  const programs = programFolders.map((folder) => readManifest(join(folder, "package.json")));
  const names = [...publicPackages().map(({ manifest }) => manifest), ...programs].map(({ name }) => name);
  const missing = names.filter((name) => !packages.some((packed) => packed.name === name));
  if (missing.length > 0) throw new Error(`There is no tarball of ${missing.join(", ")}`);
  for (const { file, name, version } of packages) {
    if (version !== packages[0]?.version) throw new Error(`${name} is packed in another version, ${version}`);
    const changelog = await commands.run("tar", ["-xzOf", file, "package/CHANGELOG.md"], base, own);
    if (!changelog.includes(`## ${version}\n`)) throw new Error(`The changelog of ${name} says nothing of ${version}`);
  }
}

async function checkByPublint(file: string): Promise<void> {
  const { buffer } = new Uint8Array(readFileSync(file));
  const { messages, pkg } = await publint({ pack: { tarball: buffer }, level: "suggestion", strict: true });
  const texts = messages.map((message) => formatMessage(message, pkg, { color: false }));
  if (texts.length > 0) throw new Error(`publint says of ${file}:\n${texts.join("\n")}`);
}

async function checkByAttw(packages: readonly Packed[]): Promise<void> {
  const attw = join(dirname(fileURLToPath(import.meta.resolve("@arethetypeswrong/cli/package.json"))), "dist/index.js");
  const options = ["--profile", "esm-only", "--no-definitely-typed", "--no-color"];
  // The programs have nothing to import.
  const programs = programFolders.map((folder) => readManifest(join(folder, "package.json")).name);
  const libraries = packages.filter(({ name }) => !programs.includes(name));
  const check = async (half: readonly Packed[]): Promise<void> => {
    for (const { file } of half) await commands.run(process.execPath, [attw, file, ...options], base, own);
  };
  const middle = libraries.length / 2;
  await Promise.all([check(libraries.slice(0, middle)), check(libraries.slice(middle))]);
}
