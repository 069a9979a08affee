import { execFile } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

import { type ClientHandlers, createClient, type SessionUpdate } from "@acp/core";
import { spawnAgent, type SpawnedAgent } from "@acp/node";
import { onTestFinished } from "vitest";

import { commandOn, type RuntimeName } from "../../support/runtimes.ts";

const acp = fileURLToPath(new URL("../../../../apps/client/dist/main.js", import.meta.url));
/** Starts the agent that counts. */
export const countingAgent: string = fileURLToPath(
  new URL("../../../dist/hub/support/counting-agent.js", import.meta.url),
);

/** A hub of its own for one test, in a temporary folder. All its processes end with the test. */
export interface TestHub {
  readonly cwd: string;
  /** Starts `acp attach`, as an editor does. The first one starts the hub. */
  attach(handlers?: ClientHandlers, agent?: readonly string[]): Promise<AttachedClient>;
  /** Runs another command of `acp` for this hub. Resolves with what it prints. */
  acp(...args: readonly string[]): Promise<string>;
  /** The folder of the hub. */
  readonly folder: string;
  /** The process of the hub that serves. */
  hubProcess(): number;
  /** All hubs that run. */
  hubProcesses(): readonly number[];
  /** The processes that keep sessions. */
  keepers(): readonly number[];
  /** Kills all its processes, as when the machine dies. */
  killAll(): void;
  /** Kills at once what has to be gone. */
  kill(pid: number, signal?: NodeJS.Signals): void;
}

/** An editor that speaks to `acp attach`. */
export interface AttachedClient {
  readonly agent: SpawnedAgent;
  readonly shown: readonly SessionUpdate[];
  /** The texts of the agent, as one. */
  text(): string;
}

/**
 * @param env Variables of all its programs.
 * @param runtime What runs `acp`.
 * @param place Where its folder is, below that of the test.
 */
export function createTestHub(
  env: Readonly<Record<string, string>> = {},
  runtime: RuntimeName = "node24",
  place = "h",
): TestHub {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "acp-hub-")));
  const hub = join(folder, place);
  const clients: SpawnedAgent[] = [];
  onTestFinished(async () => {
    await Promise.all(clients.map((client) => client.close()));
    // A client that outlives its hub by a moment starts the next one.
    for (let left = processesOf(hub); left.length > 0; left = processesOf(hub)) {
      for (const pid of left) kill(pid);
      await sleep(10);
    }
    rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
  });
  return {
    cwd: folder,
    attach: async (handlers, agent = [process.execPath, countingAgent]) => {
      const program = commandOn(runtime, acp, ["attach", "--folder", hub, "--", ...agent]);
      const client = await attach({ ...program, cwd: folder, env }, handlers);
      clients.push(client.agent);
      return client;
    },
    acp: async (...args) => {
      const words = [acp, ...args, "--folder", hub];
      return (await promisify(execFile)(process.execPath, words, { maxBuffer: Infinity })).stdout;
    },
    folder: hub,
    hubProcess: () => {
      const [pid] = hubsOf(hub);
      if (pid === undefined) throw new Error("No hub runs");
      return pid;
    },
    hubProcesses: () => hubsOf(hub),
    keepers: () => processesOf(hub).filter((one) => commandLine(one).includes("keeper.js")),
    killAll: () => {
      for (const pid of processesOf(hub)) kill(pid);
    },
    kill,
  };
}

async function attach(program: Parameters<typeof spawnAgent>[1], handlers?: ClientHandlers): Promise<AttachedClient> {
  const shown: SessionUpdate[] = [];
  const client = createClient({
    info: { name: "test-editor", version: "1.0.0" },
    handlers: { ...handlers, "session/update": ({ update }) => void shown.push(update as SessionUpdate) },
  });
  const agent = await spawnAgent(client, program);
  return {
    agent,
    shown,
    text: () =>
      shown
        .map((update) =>
          update.sessionUpdate === "agent_message_chunk" && update.content.type === "text" ? update.content.text : "",
        )
        .join(""),
  };
}

/** The processes that name a folder, in their command or in what they have open. */
function processesOf(hub: string): number[] {
  return readdirSync("/proc")
    .map(Number)
    .filter((pid) => Number.isInteger(pid) && pid > 0 && pid !== process.pid)
    .filter((pid) => commandLine(pid).includes(hub) || isKeeperOf(pid, hub));
}

function hubsOf(hub: string): readonly number[] {
  return processesOf(hub).filter((one) => commandLine(one).includes("\0hub\0"));
}

function isKeeperOf(pid: number, hub: string): boolean {
  return commandLine(pid).includes("keeper.js") && openFiles(pid).some((file) => file.startsWith(hub));
}

function commandLine(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8");
  } catch {
    return "";
  }
}

function openFiles(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/fd`).map((fd) => {
      try {
        return realpathSync(`/proc/${pid}/fd/${fd}`);
      } catch {
        return "";
      }
    });
  } catch {
    return [];
  }
}

function kill(pid: number, signal: NodeJS.Signals = "SIGKILL"): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It is gone already.
  }
}
