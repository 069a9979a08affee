import type { Contestant } from "./contestant.ts";

/** Those who can be asked to run a scenario. */
export const contestantNames = [
  "raw",
  "raw-awaited",
  "toolkit",
  "toolkit-length",
  "toolkit-http",
  "toolkit-web-socket",
  "official",
  "official-http",
  "official-web-socket",
  "json-rpc",
] as const;

export type ContestantName = (typeof contestantNames)[number];

/** As tables name them. */
export const titles: Readonly<Record<ContestantName, string>> = {
  raw: "raw",
  "raw-awaited": "raw, awaited",
  toolkit: "@acp",
  "toolkit-length": "@acp, Content-Length",
  "toolkit-http": "@acp",
  "toolkit-web-socket": "@acp",
  official: "official SDK",
  "official-http": "official SDK",
  "official-web-socket": "official SDK",
  "json-rpc": "vscode-jsonrpc",
};

const loaders: Readonly<Record<ContestantName, () => Promise<Contestant>>> = {
  raw: async () => (await import("./raw/raw.ts")).raw(false),
  "raw-awaited": async () => (await import("./raw/raw.ts")).raw(true),
  toolkit: async () => (await import("./toolkit.ts")).toolkit("ndjson"),
  "toolkit-length": async () => (await import("./toolkit.ts")).toolkit("content-length"),
  "toolkit-http": async () => (await import("./network/toolkit-network.ts")).toolkitNetwork("http"),
  "toolkit-web-socket": async () => (await import("./network/toolkit-network.ts")).toolkitNetwork("web-socket"),
  official: async () => (await import("./official.ts")).official,
  "official-http": async () => (await import("./network/official-network.ts")).officialNetwork("http"),
  "official-web-socket": async () => (await import("./network/official-network.ts")).officialNetwork("web-socket"),
  "json-rpc": async () => (await import("./json-rpc.ts")).jsonRpc,
};

/** Loads a contestant, and nothing of the others. */
export function contestant(name: ContestantName): Promise<Contestant> {
  return loaders[name]();
}

export function isContestantName(name: string): name is ContestantName {
  return contestantNames.some((known) => known === name);
}
