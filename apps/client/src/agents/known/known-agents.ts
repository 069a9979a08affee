/** A program that speaks ACP if it is started with these arguments. */
export interface KnownAgent {
  /** How it is called here. */
  readonly name: string;
  /** The program on `PATH`. */
  readonly program: string;
  readonly args: readonly string[];
  /** What it is called by its makers. */
  readonly title: string;
}

/** Programs that speak ACP, as their documentation says how to start them, or as the public registry does. */
export const knownAgents: readonly KnownAgent[] = [
  { name: "auggie", program: "auggie", args: ["--acp"], title: "Auggie CLI" },
  { name: "cagent", program: "cagent", args: ["acp"], title: "Docker cagent" },
  { name: "claude", program: "claude-agent-acp", args: [], title: "Claude Agent" },
  { name: "codex", program: "codex-acp", args: [], title: "Codex" },
  { name: "copilot", program: "copilot", args: ["--acp", "--stdio"], title: "GitHub Copilot CLI" },
  { name: "cursor", program: "cursor-agent", args: ["acp"], title: "Cursor CLI" },
  { name: "droid", program: "droid", args: ["exec", "--output-format", "acp"], title: "Factory Droid" },
  { name: "gemini", program: "gemini", args: ["--acp"], title: "Gemini CLI" },
  { name: "goose", program: "goose", args: ["acp"], title: "Goose" },
  { name: "kimi", program: "kimi", args: ["acp"], title: "Kimi CLI" },
  { name: "kiro", program: "kiro-cli", args: ["acp"], title: "Kiro CLI" },
  { name: "opencode", program: "opencode", args: ["acp"], title: "OpenCode" },
  { name: "pi", program: "pi-acp", args: [], title: "pi" },
  { name: "qoder", program: "qodercli", args: ["--acp"], title: "Qoder CLI" },
  { name: "qwen", program: "qwen", args: ["--acp"], title: "Qwen Code" },
  { name: "stakpak", program: "stakpak", args: ["acp"], title: "Stakpak" },
  { name: "vibe", program: "vibe-acp", args: [], title: "Mistral Vibe" },
];

/** Finds a known agent by its name, or by that of its program. */
export function findKnownAgent(name: string): KnownAgent | undefined {
  return knownAgents.find((agent) => agent.name === name) ?? knownAgents.find(({ program }) => program === name);
}
