// The table of contents of the site, by hand: a test compares it with the files. `llms.txt` has the same.
import { areas } from "../packages/check/src/requirements/index.ts";

/** A page by its file in the repository. */
export interface Entry {
  readonly text: string;
  readonly file: string;
}

export interface Group {
  readonly text: string;
  readonly items: readonly Entry[];
  /** Shown as its title alone until it is opened. */
  readonly collapsed?: boolean;
}

export interface Section {
  readonly text: string;
  /** The folder of the site. */
  readonly path: string;
  readonly groups: readonly Group[];
}

function group(text: string, folder: string, items: Readonly<Record<string, string>>, collapsed?: boolean): Group {
  const entries = Object.entries(items).map(([name, title]) => ({ text: title, file: `${folder}${name}.md` }));
  return collapsed === undefined ? { text, items: entries } : { text, items: entries, collapsed };
}

const guide = "docs/guide/";

function version(text: string, folder: string): Group {
  const pages = {
    index: "Overview",
    methods: "Methods",
    updates: "Session updates",
    capabilities: "Capabilities",
    errors: "Errors",
    types: "Types",
  };
  return group(text, `docs/protocol/${folder}/`, pages, folder !== "v1");
}

function packageGroup(text: string, names: readonly string[]): Group {
  return {
    text,
    items: names.map((name) => ({ text: `@acp/${name}`, file: `${folderOf(name)}/README.md` })),
  };
}

function folderOf(name: string): string {
  return { codegen: "codegen", cli: "apps/client", agent: "apps/agent" }[name] ?? `packages/${name}`;
}

const rules: Group = {
  text: "Rules",
  collapsed: true,
  items: [
    { text: "All areas", file: "site/generated/rules/index.md" },
    ...areas.map(({ prefix, title }) => ({
      text: `${prefix}: ${title}`,
      file: `site/generated/rules/${prefix.toLowerCase()}.md`,
    })),
  ],
};

export const sections: readonly Section[] = [
  {
    text: "Guide",
    path: "guide/",
    groups: [
      {
        text: "Start",
        items: [
          { text: "Introduction", file: "README.md" },
          { text: "Install", file: "docs/install.md" },
          { text: "Overview of the guide", file: "docs/guide/index.md" },
          { text: "Examples", file: "examples/README.md" },
          { text: "For coding agents", file: "packages/core/skills/acp/SKILL.md" },
        ],
      },
      group("Tutorials", guide, {
        "your-first-agent": "Your first agent",
        "your-first-client": "Your first client",
      }),
      group("Build an agent", guide, {
        "stream-from-a-model": "Stream from a model",
        "ask-for-permission": "Ask for permission",
        "run-commands": "Run commands, use files",
        "save-and-load-sessions": "Save and load sessions",
        "give-an-agent-mcp-tools": "Give an agent MCP tools",
        "ship-your-agent": "Ship your agent",
      }),
      group("Build a client", guide, {
        "show-a-session": "Show a session",
        "show-a-session-in-a-page": "Show a session in a page",
        "follow-subagents": "Follow subagents",
        "supervise-turns": "Supervise turns",
        interceptors: "Interceptors",
        "bridge-a-page-to-an-agent": "Bridge a page to an agent",
      }),
      group("Test", guide, {
        "test-your-agent": "Test an agent or a client",
        "check-an-agent-or-a-client": "Check an agent or a client",
      }),
      group("Keep sessions running", guide, {
        "sessions-that-outlive-clients": "Sessions that outlive clients",
        "two-editors-on-one-agent": "Two editors on one agent",
        "answer-questions-from-your-phone": "Answer from your phone",
        "run-a-hub": "Run a hub",
      }),
      group("Connect and extend", guide, {
        "serve-over-http": "Serve over HTTP",
        "in-your-framework": "In your framework",
        "write-an-extension": "Write an extension",
        "upgrade-to-version-2": "Upgrade to version 2",
        "bridge-versions": "Bridge versions 1 and 2",
        "move-from-the-official-sdk": "Move from the official SDK",
        "regenerate-bindings": "Regenerate bindings",
      }),
      group("Find out what is wrong", guide, {
        troubleshooting: "Troubleshooting",
        "debug-with-acp-inspect": "Debug with acp inspect",
        limits: "Limits",
      }),
      group("Runtimes", guide, {
        node: "Node.js",
        deno: "Deno",
        bun: "Bun",
        "browsers-and-workers": "Browsers and workers",
      }),
    ],
  },
  {
    text: "Protocol",
    path: "protocol/",
    groups: [
      group("Protocol", "docs/protocol/", { index: "Versions" }),
      version("Version 1", "v1"),
      rules,
      version("Version 1, unstable", "v1-unstable"),
      version("Version 2", "v2"),
      version("Version 2, unstable", "v2-unstable"),
    ],
  },
  {
    text: "Packages",
    path: "packages/",
    groups: [
      packageGroup("Agents and clients", [
        "core",
        "node",
        "deno",
        "bun",
        "http",
        "ai",
        "sessions",
        "hub",
        "mcp",
        "proxy",
      ]),
      packageGroup("Show and record", ["react", "render", "record"]),
      packageGroup("Test", ["testing", "check", "validators", "inspect"]),
      {
        text: "Programs",
        items: [
          ...packageGroup("Programs", ["cli", "agent"]).items,
          { text: "create-acp-agent", file: "packages/create-acp-agent/README.md" },
        ],
      },
      packageGroup("Below", ["schema", "framing", "host", "go-dialect", "codegen"]),
    ],
  },
  {
    text: "Project",
    path: "project/",
    groups: [
      group("What it holds to", "docs/", {
        conformance: "Conformance",
        "check-matrix": "Agents and clients, checked",
        robustness: "Robustness",
        runtimes: "Runtimes",
        benchmarks: "Benchmarks",
      }),
      {
        text: "How it is made",
        items: [
          { text: "Architecture", file: "docs/architecture.md" },
          { text: "Decisions", file: "docs/decisions.md" },
          { text: "Attacks", file: "docs/attacks.md" },
          { text: "Security", file: "SECURITY.md" },
          { text: "Contributing", file: "CONTRIBUTING.md" },
        ],
      },
      group(
        "Reports",
        "docs/reports/",
        {
          conformance: "Every rule and its proof",
          faults: "Faults of a peer",
          robustness: "Hostile inputs",
          runtimes: "Every scenario",
          benchmarks: "Every measurement",
        },
        true,
      ),
    ],
  },
];
