/**
 * `npm run bench:hub [-- --quick] [postgres://…] [redis://…]`: watchers on one session, how long it takes to attach, and the latency that a hub
 * adds, also in the databases that are named.
 */
import { spawn } from "node:child_process";
import process from "node:process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

import { type ClientSession, type ConnectedAgent, createClient, createWebSocketTransport } from "@acp/core";

import { machine } from "../report/machine.ts";
import { table } from "../report/table.ts";
import type { Work } from "./serve.ts";

/** A program of this folder. `ask` writes a line, and resolves with the one that is printed next. */
interface Program {
  next(): Promise<string>;
  ask(line: string): Promise<string>;
  end(): void;
}

function start(name: string, ...args: readonly string[]): Program {
  const path = fileURLToPath(new URL(`${name}.js`, import.meta.url));
  const child = spawn(process.execPath, ["--expose-gc", path, ...args], { stdio: ["pipe", "pipe", "inherit"] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const next = async (): Promise<string> => {
    const { value, done } = await lines.next();
    if (done === true) throw new Error(`${name} has ended`);
    return value;
  };
  return {
    next,
    ask: (line) => {
      child.stdin.write(`${line}\n`);
      return next();
    },
    end: () => child.stdin.end(),
  };
}

/** Where the hub keeps the session: in a database, that is its URL. */
type Kind = string;
type Way = "WebSocket" | "SSE";

interface Served {
  readonly server: Program;
  readonly port: string;
  readonly session: ClientSession;
  leave(): Promise<void>;
}

/** Starts a hub with a session, or its agent alone. */
async function serve(kind: Kind, onText: (text: string) => void = () => {}, mergeTime = 30): Promise<Served> {
  const server = start("serve", kind, String(mergeTime));
  const port = await server.next();
  const agent = await connect(port, onText);
  const session = await agent.newSession({ cwd: "/" });
  return {
    server,
    port,
    session,
    leave: async () => {
      await agent.close();
      server.end();
    },
  };
}

function connect(port: string, onText: (text: string) => void = () => {}): Promise<ConnectedAgent> {
  const client = createClient({
    info: { name: "bench", version: "1.0.0" },
    handlers: {
      "session/update": ({ update }) => {
        if (update.sessionUpdate === "agent_message_chunk" && update.content.type === "text")
          onText(update.content.text);
      },
    },
  });
  return client.connect(createWebSocketTransport(`ws://127.0.0.1:${port}`));
}

async function work(session: ClientSession, asked: Work): Promise<void> {
  await session.prompt(JSON.stringify(asked)).response;
}

/** What the process of the hub spends on each update that it delivers, at 20 updates a second. */
async function watchers([way, count]: readonly [Way, number]): Promise<readonly string[]> {
  const { server, port, session, leave } = await serve("memory");
  const crowd = start("watch", port, session.id, String(count), way);
  await crowd.next();
  const flushes = { updates: 40, every: 50, characters: 200, perMessage: 20 };
  await work(session, flushes);
  await settled(crowd, count * flushes.updates);
  const before = Number(await server.ask("cpu"));
  await work(session, { ...flushes, updates: 200 });
  const { p50, p99 } = await settled(crowd, count * 200);
  const spent = Number(await server.ask("cpu")) - before;
  const memory = Number(await server.ask("memory"));
  crowd.end();
  await leave();
  const each = (spent * 1000) / (count * 200);
  return [
    way,
    String(count),
    each.toFixed(1),
    ((each * count * 20) / 1e6).toFixed(2),
    p50.toFixed(0),
    p99.toFixed(0),
    memory.toFixed(0),
  ];
}

interface Seen {
  readonly updates: number;
  readonly p50: number;
  readonly p99: number;
}

/** Waits until the watchers have all updates. */
async function settled(crowd: Program, expected: number): Promise<Seen> {
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, 200));
    const seen = JSON.parse(await crowd.ask("look")) as Seen;
    if (seen.updates < expected) continue;
    await crowd.ask("clear");
    return seen;
  }
}

/** The time from session/load to its answer, with all of the history in between. */
async function attach({ kind, updates, perMessage }: History): Promise<readonly string[]> {
  const { server, port, session, leave } = await serve(kind, undefined, 0);
  for (let turn = 0; turn < updates / 500; turn++)
    await work(session, { updates: 500, every: 0, characters: 60, perMessage });
  const [times, spent]: [number[], number[]] = [[], []];
  for (let round = 0; round < 7; round++) {
    const agent = await connect(port);
    const [from, before] = [performance.now(), Number(await server.ask("cpu"))];
    await agent.loadSession({ sessionId: session.id, cwd: "/" });
    times.push(performance.now() - from);
    spent.push(Number(await server.ask("cpu")) - before);
    await agent.close();
  }
  await leave();
  return [kind, String(updates), String(perMessage), ...[times, spent].map((all) => at(all, 0.5).toFixed(0))];
}

interface History {
  readonly kind: Kind;
  readonly updates: number;
  /** How many updates a message has. */
  readonly perMessage: number;
}

/** How long an update takes from the agent to a client, at 20 a second. */
async function latency(kind: Kind): Promise<readonly string[]> {
  const times: number[] = [];
  const { session, leave } = await serve(kind, (text) => {
    times.push(performance.timeOrigin + performance.now() - Number(/@([\d.]+)@/u.exec(text)?.[1]));
  });
  await work(session, { updates: 100, every: 50, characters: 60, perMessage: 1 });
  await leave();
  return [kind.split(":")[0] ?? kind, at(times, 0.5).toFixed(2), at(times, 0.99).toFixed(2)];
}

function at(values: readonly number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * share)] ?? Number.NaN;
}

function print(head: readonly string[], rows: readonly (readonly string[])[]): void {
  process.stdout.write(`${table(head, rows)}\n\n`);
}

async function inTurn<T>(
  values: readonly T[],
  measure: (value: T) => Promise<readonly string[]>,
): Promise<(readonly string[])[]> {
  const rows: (readonly string[])[] = [];
  for (const value of values) rows.push(await measure(value));
  return rows;
}

const isQuick = process.argv.includes("--quick");
const databases = process.argv.filter((word) => /^(?:postgres|redis):/u.test(word));
const { cpu, cores, system, runtime } = machine("node");
process.stdout.write(`${cpu}, ${cores} cores, ${system}; ${runtime}\n\n`);
print(
  ["way", "watchers", "CPU a delivery, µs", "cores at 20/s", "p50, ms", "p99, ms", "memory, MiB"],
  await inTurn(
    (["WebSocket", "SSE"] as const).flatMap((way) =>
      (isQuick ? [50] : [100, 500, 1000]).map((count) => [way, count] as const),
    ),
    watchers,
  ),
);
const updates = isQuick ? 1000 : 50_000;
const histories: readonly History[] = [
  { kind: "memory", updates, perMessage: 30 },
  { kind: "files", updates, perMessage: 30 },
  { kind: "files", updates, perMessage: 1 },
];
print(
  ["journal", "updates", "in a message", "until attached, ms", "CPU of the hub, ms"],
  await inTurn(histories, attach),
);
print(
  ["an update's way", "p50, ms", "p99, ms"],
  await inTurn<Kind>(["direct", "memory", "files", ...databases], latency),
);
