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
export const knownAgents: readonly KnownAgent[] = [
  { name: "acp-agent", program: "acp-agent", args: [], title: "Reference agent", install: "npm install -g @acp/agent" },
  {
    name: "auggie",
    program: "auggie",
    args: ["--acp"],
    title: "Auggie CLI",
    install: "npm install -g @augmentcode/auggie",
  },
  {
    name: "cagent",
    program: "cagent",
    args: ["acp"],
    title: "Docker cagent",
    install: "https://github.com/docker/cagent",
  },
  {
    name: "claude",
    program: "claude-agent-acp",
    args: [],
    title: "Claude Agent",
    install: "npm install -g @agentclientprotocol/claude-agent-acp",
  },
  {
    name: "codex",
    program: "codex-acp",
    args: [],
    title: "Codex",
    install: "npm install -g @agentclientprotocol/codex-acp",
  },
  {
    name: "copilot",
    program: "copilot",
    args: ["--acp", "--stdio"],
    title: "GitHub Copilot CLI",
    install: "npm install -g @github/copilot",
  },
  { name: "cursor", program: "cursor-agent", args: ["acp"], title: "Cursor CLI", install: "https://cursor.com/cli" },
  {
    name: "droid",
    program: "droid",
    args: ["exec", "--output-format", "acp"],
    title: "Factory Droid",
    install: "https://docs.factory.ai/cli",
  },
  {
    name: "gemini",
    program: "gemini",
    args: ["--acp"],
    title: "Gemini CLI",
    install: "npm install -g @google/gemini-cli",
  },
  { name: "goose", program: "goose", args: ["acp"], title: "Goose", install: "https://github.com/block/goose" },
  { name: "kimi", program: "kimi", args: ["acp"], title: "Kimi CLI", install: "uv tool install kimi-cli" },
  { name: "kiro", program: "kiro-cli", args: ["acp"], title: "Kiro CLI", install: "https://kiro.dev/cli" },
  { name: "opencode", program: "opencode", args: ["acp"], title: "OpenCode", install: "npm install -g opencode-ai" },
  { name: "pi", program: "pi-acp", args: [], title: "pi", install: "npm install -g pi-acp" },
  {
    name: "qoder",
    program: "qodercli",
    args: ["--acp"],
    title: "Qoder CLI",
    install: "npm install -g @qoder-ai/qodercli",
  },
  {
    name: "qwen",
    program: "qwen",
    args: ["--acp"],
    title: "Qwen Code",
    install: "npm install -g @qwen-code/qwen-code",
  },
  { name: "stakpak", program: "stakpak", args: ["acp"], title: "Stakpak", install: "https://github.com/stakpak/agent" },
  { name: "vibe", program: "vibe-acp", args: [], title: "Mistral Vibe", install: "uv tool install mistral-vibe" },
];

/** Finds a known agent by its name, or by that of its program. */
export function findKnownAgent(name: string): KnownAgent | undefined {
  return knownAgents.find((agent) => agent.name === name) ?? knownAgents.find(({ program }) => program === name);
}
