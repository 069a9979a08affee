import { accessSync, constants, statSync, existsSync, readFileSync, realpathSync } from "node:fs";
import { basename, delimiter, isAbsolute, join, dirname } from "node:path";

import type { Environment } from "../cli/streams.ts";

/** Finds a program on `PATH`; returns its path. */
export function findProgram(name: string, env: Environment, platform: string = process.platform): string | undefined {
  const path = Object.entries(env).find(([key]) => (platform === "win32" ? key.toUpperCase() : key) === "PATH")?.[1];
  const endings = platform === "win32" ? (env["PATHEXT"] ?? ".COM;.EXE;.BAT;.CMD").split(";") : [""];
  for (const folder of (path ?? "").split(delimiter)) {
    // A relative folder would find programs of the project.
    if (!isAbsolute(folder)) continue;
    for (const ending of endings) {
      const file = join(folder, name + ending.toLowerCase());
      if (isExecutable(file)) return file;
    }
  }
  return undefined;
}

export function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

/** Programs whose first argument is the program that one means. */
const interpreters = /^(?:node|nodejs|deno|bun|python[\d.]*|ruby|perl|sh|bash|npx|uvx)(?:\.exe)?$/u;

/** The script that an interpreter runs, as it is written; `undefined` for other programs. */
export function scriptOf(command: string, args: readonly string[]): string | undefined {
  return interpreters.test(basename(command)) ? args.find((arg) => isFile(arg)) : undefined;
}

export function isFile(path: string): boolean {
  return existsSync(path) && statSync(path).isFile();
}

export function isFolder(path: string): boolean {
  return existsSync(path) && statSync(path).isDirectory();
}

/** How many folders above a program its package may be. */
const depthLimit = 4;

/** The npm package that a program belongs to, without running it; `undefined` if it is in none. */
export function packageOf(program: string): { readonly name: string; readonly version: string } | undefined {
  try {
    let folder = dirname(realpathSync(program));
    for (let depth = 0; depth < depthLimit; depth += 1, folder = dirname(folder)) {
      const file = join(folder, "package.json");
      if (!existsSync(file)) continue;
      const { name, version } = JSON.parse(readFileSync(file, "utf8")) as Record<string, unknown>;
      // A file without a name only says what kind of modules there are.
      if (typeof name === "string" && typeof version === "string") return { name, version };
    }
  } catch {
    // Then it is not known.
  }
  return undefined;
}

/** A program that speaks ACP if it is started with these arguments. */
export interface KnownAgent {
  /** How it is called here. */
  readonly name: string;
  /** The program on `PATH`. */
  readonly program: string;
  readonly args: readonly string[];
  /** What it is called by its makers. */
  readonly title: string;
  /** How to install it: a command, or a page that says how. */
  readonly install: string;
}

/** Programs that speak ACP, as their documentation says how to start them, or as the public registry does. */
export const knownAgents: readonly KnownAgent[] = (
  [
    ["acp-agent", "acp-agent", "Reference agent", "npm install -g @acp/agent"],
    ["auggie", "auggie --acp", "Auggie CLI", "npm install -g @augmentcode/auggie"],
    ["cagent", "cagent acp", "Docker cagent", "https://github.com/docker/cagent"],
    ["claude", "claude-agent-acp", "Claude Agent", "npm install -g @agentclientprotocol/claude-agent-acp"],
    ["codex", "codex-acp", "Codex", "npm install -g @agentclientprotocol/codex-acp"],
    ["copilot", "copilot --acp --stdio", "GitHub Copilot CLI", "npm install -g @github/copilot"],
    ["cursor", "cursor-agent acp", "Cursor CLI", "https://cursor.com/cli"],
    ["droid", "droid exec --output-format acp", "Factory Droid", "https://docs.factory.ai/cli"],
    ["gemini", "gemini --acp", "Gemini CLI", "npm install -g @google/gemini-cli"],
    ["goose", "goose acp", "Goose", "https://github.com/block/goose"],
    ["kimi", "kimi acp", "Kimi CLI", "uv tool install kimi-cli"],
    ["kiro", "kiro-cli acp", "Kiro CLI", "https://kiro.dev/cli"],
    ["opencode", "opencode acp", "OpenCode", "npm install -g opencode-ai"],
    ["pi", "pi-acp", "pi", "npm install -g pi-acp"],
    ["qoder", "qodercli --acp", "Qoder CLI", "npm install -g @qoder-ai/qodercli"],
    ["qwen", "qwen --acp", "Qwen Code", "npm install -g @qwen-code/qwen-code"],
    ["stakpak", "stakpak acp", "Stakpak", "https://github.com/stakpak/agent"],
    ["vibe", "vibe-acp", "Mistral Vibe", "uv tool install mistral-vibe"],
  ] as const
).map(([name, command, title, install]) => {
  const [program = "", ...args] = command.split(" ");
  return { name, program, args, title, install };
});

/** Finds a known agent by its name, or by that of its program. */
export function findKnownAgent(name: string): KnownAgent | undefined {
  return knownAgents.find((agent) => agent.name === name) ?? knownAgents.find(({ program }) => program === name);
}
