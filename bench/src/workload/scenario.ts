import type { ContestantName } from "../contestants/contestants.ts";
import type { Mix } from "./updates.ts";

/** What is done, between one agent and one client. */
export type Work =
  | { readonly kind: "updates"; readonly mix: Mix; readonly count: number; readonly sessions: number }
  | { readonly kind: "reads"; readonly count: number; readonly inFlight: number }
  | { readonly kind: "prompts"; readonly count: number; readonly inFlight: number }
  | { readonly kind: "closes"; readonly count: number }
  | { readonly kind: "large"; readonly bytes: number; readonly times: number };

export interface Scenario {
  /** By which it is asked for, and kept in results. */
  readonly name: string;
  /** As a table names it. */
  readonly title: string;
  /** One of the groups of the report. */
  readonly group: string;
  readonly work: Work;
  /** Both halves in one process. */
  readonly inProcess?: boolean;
  readonly contestants: readonly ContestantName[];
  /** How many times as long as raw it may take, at most: what the toolkit aims at. */
  readonly aim?: number;
  /** How many times as long as the toolkit the official SDK takes, at least. */
  readonly ahead?: number;
}

/** How many things were done, for rates; large messages are told by their time. */
export function amount(work: Work): number {
  return work.kind === "large" ? work.times : work.count;
}

const all: readonly ContestantName[] = ["raw", "raw-awaited", "toolkit", "official", "json-rpc"];
const pairable: readonly ContestantName[] = ["raw", "raw-awaited", "toolkit", "official"];
const growing: readonly ContestantName[] = ["raw", "toolkit", "official"];

const throughput: readonly Scenario[] = [
  {
    name: "updates-small",
    title: "200,000 small updates, each awaited",
    group: "throughput",
    work: { kind: "updates", mix: "small", count: 200_000, sessions: 1 },
    contestants: all,
    aim: 1.25,
    ahead: 6,
  },
  {
    name: "updates-mixed",
    title: "100,000 mixed updates (chunks, tool calls, plans)",
    group: "throughput",
    work: { kind: "updates", mix: "mixed", count: 100_000, sessions: 1 },
    contestants: all,
    aim: 1.25,
    ahead: 6,
  },
  {
    name: "updates-long",
    title: "1,000,000 mixed updates",
    group: "throughput",
    work: { kind: "updates", mix: "mixed", count: 1_000_000, sessions: 1 },
    // Others take a minute for them.
    contestants: ["raw", "raw-awaited", "toolkit"],
    aim: 1.25,
  },
  {
    name: "reads-1",
    title: "`fs/read_text_file`, one after another",
    group: "throughput",
    work: { kind: "reads", count: 20_000, inFlight: 1 },
    contestants: all,
    aim: 1.35,
    ahead: 1.8,
  },
  {
    name: "reads-64",
    title: "`fs/read_text_file`, 64 in flight",
    group: "throughput",
    work: { kind: "reads", count: 100_000, inFlight: 64 },
    contestants: all,
    aim: 1.25,
    ahead: 3,
  },
  {
    name: "prompts-1",
    title: "`session/prompt`, one after another",
    group: "throughput",
    work: { kind: "prompts", count: 20_000, inFlight: 1 },
    contestants: all,
    aim: 1.35,
    ahead: 1.8,
  },
  {
    name: "prompts-64",
    title: "`session/prompt`, 64 in flight",
    group: "throughput",
    work: { kind: "prompts", count: 100_000, inFlight: 64 },
    contestants: all,
    aim: 1.25,
    ahead: 3,
  },
  {
    name: "large-10mb",
    title: "one prompt of 10 MB",
    group: "throughput",
    work: { kind: "large", bytes: 10_000_000, times: 1 },
    contestants: pairable,
    aim: 1.1,
  },
  {
    name: "large-50mb",
    title: "one prompt of 50 MB",
    group: "throughput",
    work: { kind: "large", bytes: 50_000_000, times: 1 },
    contestants: pairable,
    aim: 1.1,
  },
  {
    name: "in-process",
    title: "100,000 mixed updates in one process, over bytes",
    group: "throughput",
    work: { kind: "updates", mix: "mixed", count: 100_000, sessions: 1 },
    inProcess: true,
    contestants: pairable,
    aim: 1.3,
    ahead: 6,
  },
  {
    name: "content-length",
    title: "200,000 small updates, framed by Content-Length",
    group: "throughput",
    work: { kind: "updates", mix: "small", count: 200_000, sessions: 1 },
    contestants: ["raw", "toolkit-length", "json-rpc"],
  },
];

/** Over the loopback, on Node: where a network is between, it is what takes the time. */
const network = (["http", "web-socket"] as const).flatMap((wire): readonly Scenario[] => {
  const title = wire === "http" ? "HTTP" : "a WebSocket";
  const contestants = [`toolkit-${wire}`, `official-${wire}`] as const;
  const group = "network";
  return [
    {
      name: `${wire}-updates`,
      title: `50,000 mixed updates over ${title}`,
      group,
      work: { kind: "updates", mix: "mixed", count: 50_000, sessions: 1 },
      contestants,
    },
    {
      name: `${wire}-files-1`,
      title: `\`fs/read_text_file\` over ${title}, one after another`,
      group,
      work: { kind: "reads", count: 2_000, inFlight: 1 },
      contestants,
    },
    {
      name: `${wire}-files-64`,
      title: `\`fs/read_text_file\` over ${title}, 64 in flight`,
      group,
      work: { kind: "reads", count: 5_000, inFlight: 64 },
      contestants,
    },
    {
      name: `${wire}-turns-64`,
      title: `\`session/prompt\` over ${title}, 64 in flight`,
      group,
      work: { kind: "prompts", count: 5_000, inFlight: 64 },
      contestants,
    },
    {
      name: `${wire}-large`,
      title: `ten prompts of 10 MB over ${title}`,
      group,
      work: { kind: "large", bytes: 10_000_000, times: 10 },
      contestants,
    },
  ];
});

const sizes = [1_000, 10_000, 100_000, 1_000_000, 10_000_000, 50_000_000].map((bytes): Scenario => {
  const times = Math.max(1, Math.min(2_000, Math.round(20_000_000 / bytes)));
  return {
    name: `size-${bytes}`,
    title: `${bytes.toLocaleString("en")} bytes`,
    group: "size",
    work: { kind: "large", bytes, times },
    contestants: growing,
  };
});

const sessions = [1, 10, 100, 1_000].map((count): Scenario => ({
  name: `sessions-${count}`,
  title: `${count.toLocaleString("en")} sessions`,
  group: "sessions",
  work: { kind: "updates", mix: "small", count: 100_000, sessions: count },
  contestants: growing,
}));

const pending = [1, 10, 100, 1_000, 10_000].map((inFlight): Scenario => ({
  name: `pending-${inFlight}`,
  title: `${inFlight.toLocaleString("en")} pending requests`,
  group: "pending",
  work: { kind: "reads", count: 20_000, inFlight },
  contestants: growing,
}));

const closes = [100, 1_000, 10_000].map((count): Scenario => ({
  name: `closes-${count}`,
  title: `${count.toLocaleString("en")} sessions closed at once`,
  group: "closes",
  work: { kind: "closes", count },
  contestants: growing,
}));

/** All of them, in the order of the report. */
export const scenarios: readonly Scenario[] = [...throughput, ...network, ...sizes, ...sessions, ...pending, ...closes];

/** The same scenario at a size that only shows that it works. */
export function reduced(scenario: Scenario): Scenario {
  const { work } = scenario;
  if (work.kind === "large") return { ...scenario, work: { ...work, bytes: Math.min(work.bytes, 100_000), times: 1 } };
  const count = Math.max(200, scenario.work.kind === "updates" ? scenario.work.sessions : 0);
  return { ...scenario, work: { ...work, count } };
}
