// Projects that install from the registry as users do, each with the commands of its own package manager.
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import process from "node:process";

import { executableOf, type RuntimeName } from "../../support/runtimes.ts";
import { agent, client } from "../consumer-programs.ts";
import { type Commands, type Environment, freshEnvironment } from "./commands.ts";
import type { LocalRegistry } from "./local-registry.ts";

/** A folder, a registry and an empty home. */
class ScratchProject {
  readonly #folder: string;
  readonly #env: Environment;
  readonly #commands: Commands;

  constructor(
    { base, registry, commands }: Rehearsal,
    name: string,
    runtime: RuntimeName,
    files: Readonly<Record<string, string>>,
  ) {
    this.#folder = join(base, name);
    this.#commands = commands;
    mkdirSync(this.#folder);
    registry.writeSettings(this.#folder);
    this.write("package.json", JSON.stringify({ name, version: "1.0.0", private: true, type: "module" }));
    for (const [file, content] of Object.entries(files)) this.write(file, content);
    const home = join(base, `${name}-home`);
    const programs = join(base, `${name}-bin`);
    mkdirSync(programs);
    // The package of Bun names its program as on Windows.
    if (runtime === "bun") symlinkSync(executableOf("bun"), join(programs, "bun"));
    // Bun runs programs of npm with the Node that is there.
    const places = [programs, dirname(executableOf(runtime)), dirname(executableOf("node26")), process.env["PATH"]];
    const path = places.join(delimiter);
    this.#env = { ...freshEnvironment(home), PATH: path };
    // Projects that are made in this one are installed from the registry, too.
    registry.writeSettings(home);
  }

  write(file: string, content: string): void {
    writeFileSync(join(this.#folder, file), content);
  }

  run(command: string, ...args: readonly string[]): Promise<string> {
    return this.runIn(".", command, ...args);
  }

  runIn(folder: string, command: string, ...args: readonly string[]): Promise<string> {
    return this.#commands.run(command, args, join(this.#folder, folder), this.#env);
  }
}

/** What the projects need of the rehearsal. */
export interface Rehearsal {
  /** Where their folders go. */
  readonly base: string;
  readonly registry: LocalRegistry;
  readonly commands: Commands;
  /** The version that was published. */
  readonly version: string;
}

function expectOutput(output: string, expected: string): void {
  if (!output.includes(expected)) throw new Error(`Expected ${JSON.stringify(expected)}, but got:\n${output}`);
}

/** An agent and a client on Node. */
export async function runOnNode(rehearsal: Rehearsal, runtime: "node20" | "node26"): Promise<void> {
  const project = new ScratchProject(rehearsal, runtime, runtime, {
    "agent.js": agent("node"),
    "client.js": client("node", "process.execPath", '[new URL("agent.js", import.meta.url).pathname]'),
  });
  await project.run("npm", "install", "@acp/core", "@acp/node");
  expectOutput(await project.run("npm", "ls", "@acp/core"), `@acp/core@${rehearsal.version}`);
  expectOutput(await project.run("node", "client.js"), `${runtime}\nend_turn\n`);
}

/** The programs, by their names. */
export async function runPrograms(rehearsal: Rehearsal): Promise<void> {
  const project = new ScratchProject(rehearsal, "programs", "node26", {});
  await project.run("npm", "install", "--save-dev", "@acp/cli", "@acp/agent", "@acp/codegen", "@acp/schema");
  expectOutput(await project.run("npx", "acp", "--version"), `acp ${rehearsal.version} `);
  expectOutput(await project.run("npx", "acp-agent", "--version"), rehearsal.version);
  const answer = await project.run("npx", "acp", "exec", "help", "--", "npx", "acp-agent", "--no-model", "--pace", "0");
  expectOutput(answer, "fix");
  await project.run("npx", "acp-codegen", "init");
  expectOutput(await project.run("npm", "run", "bindings"), "files generated");
  await project.run("npm", "run", "bindings:check");
}

/** Every package there is, as the newest version, on Node: nothing that they depend on is missing. */
export async function installAll(rehearsal: Rehearsal, names: readonly string[]): Promise<void> {
  const project = new ScratchProject(rehearsal, "all-packages", "node26", {});
  await project.run("npm", "install", ...names);
  await project.run("npm", "ls", "--all");
}

type Command = readonly [string, ...string[]];

interface Creator {
  readonly create: Command;
  readonly install: Command;
  readonly run: Command;
}

/** By default Deno leaves out what was published in the last 24 hours. */
const anyAge = "--minimum-dependency-age=0";

const creators: Readonly<Record<"node26" | "deno" | "bun", Creator>> = {
  node26: { create: ["npm", "create", "acp-agent@latest", "--"], install: ["npm", "install"], run: ["npm", "run"] },
  deno: {
    create: ["deno", "run", "--allow-all", anyAge, "npm:create-acp-agent"],
    install: ["deno", "install", anyAge],
    run: ["deno", "task"],
  },
  bun: { create: ["bun", "create", "acp-agent"], install: ["bun", "install"], run: ["bun", "run"] },
};

/** An agent that `create-acp-agent` makes by the command of a runtime, its answer and its tests. */
export async function runCreator(rehearsal: Rehearsal, runtime: keyof typeof creators): Promise<void> {
  const project = new ScratchProject(rehearsal, `created-on-${runtime}`, runtime, {});
  const { create, install, run } = creators[runtime];
  expectOutput(await project.run(...create, "my-agent", "--template", "echo"), `${install[0]} install`);
  await project.runIn("my-agent", ...install);
  expectOutput(await project.runIn("my-agent", ...run, "ask"), "You said: Hello");
  await project.runIn("my-agent", ...run, "test");
}

export async function runOnDeno(rehearsal: Rehearsal): Promise<void> {
  const project = new ScratchProject(rehearsal, "deno", "deno", {
    "agent.ts": agent("deno"),
    "client.ts": client("deno", "Deno.execPath()", '["run", new URL("agent.ts", import.meta.url).pathname]'),
  });
  await project.run("deno", "add", anyAge, "npm:@acp/core", "npm:@acp/deno");
  await project.run("deno", "install", anyAge);
  const permissions = ["--no-prompt", "--allow-env", "--allow-run", "--allow-read=."];
  expectOutput(await project.run("deno", "run", ...permissions, "client.ts"), "deno\nend_turn\n");
}

export async function runOnBun(rehearsal: Rehearsal): Promise<void> {
  const project = new ScratchProject(rehearsal, "bun", "bun", {
    "bunfig.toml": `[install]\nregistry = "${rehearsal.registry.url}"\n`,
    "agent.ts": agent("bun"),
    "client.ts": client("bun", "process.execPath", '[new URL("agent.ts", import.meta.url).pathname]'),
  });
  const bun = executableOf("bun");
  await project.run(bun, "add", "@acp/core", "@acp/bun");
  expectOutput(await project.run(bun, "client.ts"), "bun\nend_turn\n");
}
