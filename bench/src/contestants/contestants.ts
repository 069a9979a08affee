import type { Contestant } from "./contestant.ts";

/** Those who can be asked to run a scenario. */
export const contestantNames = ["raw", "raw-awaited", "toolkit", "toolkit-length", "official", "json-rpc"] as const;

export type ContestantName = (typeof contestantNames)[number];

/** As tables name them. */
export const titles: Readonly<Record<ContestantName, string>> = {
  raw: "raw",
  "raw-awaited": "raw, awaited",
  toolkit: "@acp",
  "toolkit-length": "@acp, Content-Length",
  official: "official SDK",
  "json-rpc": "vscode-jsonrpc",
};

const loaders: Readonly<Record<ContestantName, () => Promise<Contestant>>> = {
  raw: async () => (await import("./raw/raw.ts")).raw(false),
  "raw-awaited": async () => (await import("./raw/raw.ts")).raw(true),
  toolkit: async () => (await import("./toolkit.ts")).toolkit("ndjson"),
  "toolkit-length": async () => (await import("./toolkit.ts")).toolkit("content-length"),
  official: async () => (await import("./official.ts")).official,
  "json-rpc": async () => (await import("./json-rpc.ts")).jsonRpc,
};

/** Loads a contestant, and nothing of the others. */
export function contestant(name: ContestantName): Promise<Contestant> {
  return loaders[name]();
}

export function isContestantName(name: string): name is ContestantName {
  return contestantNames.some((known) => known === name);
}
