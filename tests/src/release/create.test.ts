// `create-acp-agent` from its tarball: from an empty folder to an answered prompt, with each runtime and package manager.
// Foreign packages come from a registry, so this is skipped where none answers.
import { execFile, spawn } from "node:child_process";
import {
  chmodSync,
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
import { delimiter, dirname, join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";

import { afterAll, beforeAll, describe, expect, test, type TestContext, vi } from "vitest";

import { executableOf } from "../support/runtimes.ts";
import { cliFolder, pack, publicPackages, readManifest, root } from "../support/packages.ts";
import { freePort } from "../support/free-port.ts";
import { serveModel } from "../support/models/model-server.ts";
import { launchChromium } from "./browser/chromium.ts";
import { freshEnvironment } from "./rehearsal/commands.ts";

/** Installs, starts and checks a lot: on a busy machine, that takes longer than other tests may. */
vi.setConfig({ testTimeout: 1_200_000, hookTimeout: 600_000 });

const base = realpathSync(mkdtempSync(join(tmpdir(), "acp-create-")));
const tarballs = join(base, "tarballs");
const bin = join(base, "bin");
/** Nobody's home and keys, and a cache for all tests. The runtimes and package managers are found by their names. */
const env = {
  ...freshEnvironment(join(base, "home")),
  PATH: [bin, process.env["PATH"]].join(delimiter),
  YARN_ENABLE_IMMUTABLE_INSTALLS: "false",
  YARN_ENABLE_TELEMETRY: "false",
  OPENAI_API_KEY: undefined,
};
let program: string;
let unreachable: string | undefined;

interface Ended {
  readonly code: number;
  readonly stdout: string;
  /** Stdout, and stderr behind it. */
  readonly output: string;
}

/** Runs a command as a user does. */
function run(cwd: string, command: string, ...args: readonly string[]): Promise<Ended> {
  return runWith({}, cwd, command, ...args);
}

/** The same with more in the environment. */
function runWith(
  more: Readonly<Record<string, string>>,
  cwd: string,
  command: string,
  ...args: readonly string[]
): Promise<Ended> {
  return new Promise((resolve) => {
    const child = execFile(
      command,
      args,
      { cwd, env: { ...env, ...more }, maxBuffer: 2 ** 26 },
      (error, stdout, stderr) =>
        resolve({ code: error === null ? 0 : Number(error.code ?? -1), stdout, output: stdout + stderr }),
    );
    child.stdin?.end();
  });
}

function script(name: string, line: string): void {
  writeFileSync(join(bin, name), `#!/bin/sh\nexec ${line} "$@"\n`);
  chmodSync(join(bin, name), 0o755);
}

beforeAll(async () => {
  for (const folder of [tarballs, bin]) mkdirSync(folder);
  const { packageManager: pnpm }: { readonly packageManager: string } = JSON.parse(
    readFileSync(join(root, "package.json"), "utf8"),
  );
  // With the npm of this machine, which knows its registry.
  symlinkSync(executableOf("node24"), join(bin, "node"));
  symlinkSync(executableOf("deno"), join(bin, "deno"));
  for (const name of ["bun", "bunx"]) symlinkSync(executableOf("bun"), join(bin, name));
  script(
    "yarn",
    `node ${join(dirname(fileURLToPath(import.meta.resolve("@yarnpkg/cli-dist/package.json"))), "bin/yarn.js")}`,
  );
  script("pnpm", `npx --yes --prefer-offline ${pnpm}`);
  const names = publicPackages().map(({ manifest }) => manifest.name);
  await pack([...names, readManifest(join(cliFolder, "package.json")).name], tarballs);
  const own = await pack(["create-acp-agent"], base);
  mkdirSync(join(base, "creator"));
  await run(base, "tar", "-xzf", own.get("create-acp-agent") ?? "", "--strip-components=1", "-C", "creator");
  program = join(base, "creator/dist/main.js");
  const asked = await run(base, "npm", "view", "ai", "version");
  if (asked.code !== 0) unreachable = "Skipped: no registry has answered";
});
afterAll(() => rmSync(base, { recursive: true, force: true }));

function needsRegistry({ skip }: TestContext): void {
  if (unreachable !== undefined) skip(unreachable);
}

interface Setting {
  readonly template: string;
  readonly lang: string;
  readonly runtime: "node" | "deno" | "bun";
  readonly pm: string;
}

let made = 0;

/** A project that was made and installed, and its scripts. */
class Project {
  readonly #setting: Setting;
  readonly folder: string;
  readonly #began: number = performance.now();

  private constructor(setting: Setting) {
    this.#setting = setting;
    made += 1;
    this.folder = join(base, [...Object.values(setting), made].join("-"));
  }

  static async make(setting: Setting): Promise<Project> {
    const project = new Project(setting);
    const { template, lang, runtime, pm } = setting;
    const options = ["--template", template, "--lang", lang, "--runtime", runtime, "--pm", pm];
    await project.#run(base, "node", program, project.folder, ...options, "--install", "--packages", tarballs);
    return project;
  }

  /** Runs scripts to their ends; returns what the last one prints. */
  async scripts(...names: readonly string[]): Promise<string> {
    const { runtime, pm } = this.#setting;
    const [command, ...args] = runtime === "deno" ? ["deno", "task"] : [pm, "run"];
    let output = "";
    for (const name of names) output = await this.#run(this.folder, command ?? "", ...args, name);
    return output;
  }

  /** The scripts that look at the code, and run its tests. */
  async looks(): Promise<void> {
    await this.scripts("test", "lint", ...(this.#setting.lang === "ts" ? ["typecheck"] : []));
  }

  /** Some checks of `acp check`; all of them take a minute. */
  async checks(only: string): Promise<void> {
    const { runtime, lang } = this.#setting;
    const start = [runtime, ...(runtime === "deno" ? ["run", "--allow-all"] : []), `src/main.${lang}`];
    const acp = join(this.folder, "node_modules/@acp/cli/dist/main.js");
    await this.#run(this.folder, "node", acp, "check", "--only", only, "--", ...start);
  }

  /** Says how long it took since the folder was empty. */
  tellTime(): void {
    const seconds = ((performance.now() - this.#began) / 1000).toFixed(1);
    console.log(`${Object.values(this.#setting).join(", ")}: answered ${seconds} s after the folder was empty`);
  }

  async #run(cwd: string, command: string, ...args: readonly string[]): Promise<string> {
    const { code, output } = await run(cwd, command, ...args);
    if (code !== 0) throw new Error(`\`${[command, ...args].join(" ")}\` ended with ${code} in ${cwd}\n${output}`);
    return output;
  }
}

describe("an agent with a model", () => {
  const settings = (["node", "deno", "bun"] as const).flatMap((runtime) =>
    ["npm", "pnpm", "yarn", ...(runtime === "bun" ? ["bun"] : [])].map((pm, index): Setting => ({
      template: "model",
      lang: index % 2 === 0 ? "ts" : "js",
      runtime,
      pm,
    })),
  );

  test.for(settings)(
    "on $runtime with $pm, in $lang, answers, passes its tests and some checks",
    async (setting, context) => {
      needsRegistry(context);
      const project = await Project.make(setting);
      expect(await project.scripts("ask")).toContain("Hello! There is no API key");
      project.tellTime();
      await project.looks();
      await project.checks("INIT,SESS");
    },
  );

  test.for(["node", "deno", "bun"] as const)(
    "on %s passes every check, and what the registry demands",
    async (runtime, context) => {
      needsRegistry(context);
      const project = await Project.make({ template: "model", lang: "ts", runtime, pm: "npm" });
      expect(await project.scripts("check")).toContain(" 0 failed");
      expect(await project.scripts("check:registry")).toContain(" 0 failed");
    },
  );

  test("answers by a model on this machine, which needs no key", async (context) => {
    needsRegistry(context);
    const { folder } = await Project.make({ template: "model", lang: "ts", runtime: "node", pm: "npm" });
    await using model = await serveModel([{ prompt: "Hello", begins: "I am here." }]);
    const address = { OPENAI_BASE_URL: `${model.url}/v1` };
    const { code, output } = await runWith(address, folder, "npm", "run", "ask");
    expect({ code, output }).toMatchObject({ code: 0, output: expect.stringContaining("I am here.") });
    expect(model.exchanges.length).toBeGreaterThan(0);
  });

  test("is a command once it is packed and installed elsewhere", async (context) => {
    needsRegistry(context);
    const project = await Project.make({ template: "echo", lang: "ts", runtime: "node", pm: "npm" });
    const { stdout: packed } = await run(project.folder, "npm", "pack", "--pack-destination", base);
    const user = join(base, "user");
    mkdirSync(user);
    await run(user, "tar", "-xzf", join(base, packed.trim().split("\n").at(-1) ?? ""), "--strip-components=1");
    symlinkSync(join(project.folder, "node_modules"), join(user, "node_modules"));
    const acp = join(project.folder, "node_modules/@acp/cli/dist/main.js");
    const { output } = await run(user, "node", acp, "exec", "Hello", "--", "node", "dist/main.js");
    expect(output).toContain("You said: Hello");
  });
});

test("a page that is served for development talks to its agent in a browser", async (context) => {
  needsRegistry(context);
  const { folder } = await Project.make({ template: "page", lang: "js", runtime: "node", pm: "npm" });
  const settings = join(folder, "vite.config.js");
  const [page, agent] = [await freePort(), await freePort()];
  writeFileSync(settings, readFileSync(settings, "utf8").replace("5173", String(page)).replace("8001", String(agent)));
  const server = spawn("node", ["node_modules/vite/bin/vite.js"], {
    cwd: folder,
    env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const browser = await launchChromium();
  try {
    let output = "";
    for (const stream of [server.stdout, server.stderr])
      stream.on("data", (chunk: Buffer) => (output += chunk.toString()));
    await expect.poll(() => output).toMatch(/Open http:\S+\n/u);
    const tab = await browser.newPage();
    await tab.goto(/Open (http:\S+)/u.exec(output)?.[1] ?? "");
    await tab.click("text=New session");
    await tab.fill("input", "Go");
    await tab.click("text=Send");
    await tab.click("fieldset button");
    await expect.poll(() => tab.textContent("ol")).toBe("GoOne moment. Edit hello.txt (completed)That was all.");
  } finally {
    await browser.close();
    server.kill();
  }
});

describe.each(["node", "deno", "bun"] as const)("on %s", (runtime) => {
  test.for(["ts", "js"])("an agent without a model answers and passes its tests, in %s", async (lang, context) => {
    needsRegistry(context);
    const project = await Project.make({ template: "echo", lang, runtime, pm: "bun" });
    expect(await project.scripts("ask")).toContain("You said: Hello");
    await project.looks();
    await project.checks("INIT,SESS");
  });

  test.for(["ts", "js"])("a client talks to an agent and passes its tests, in %s", async (lang, context) => {
    needsRegistry(context);
    const project = await Project.make({ template: "client", lang, runtime, pm: "npm" });
    expect(await project.scripts("start")).toContain("[Edit hello.txt]\nThat was all.");
    await project.looks();
    if (lang === "ts") expect(await project.scripts("check")).toContain(" 0 failed");
  });

  test.for(["ts", "js"])("a page is built and passes its tests, in %s", async (lang, context) => {
    needsRegistry(context);
    const project = await Project.make({ template: "page", lang, runtime, pm: "npm" });
    await project.looks();
    await project.scripts("check");
    expect(existsSync(join(project.folder, "dist/index.html"))).toBe(true);
  });
});
