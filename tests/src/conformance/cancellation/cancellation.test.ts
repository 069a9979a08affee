// Turns of an agent's process that are cancelled or over at any point, with real files and commands, over real pipes.
import { appendFileSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";

import { type ClientSession, createClient } from "@acp/core";
import { createSessionState, type SessionStore } from "@acp/core/state";
import { fileSystem, spawnAgent, type SpawnedAgent, terminals } from "@acp/node";
import * as fc from "fast-check";
import { describe, expect, onTestFinished, test } from "vitest";

import { isAlive } from "../../support/is-alive.ts";

const fileOf = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const agentArguments = [fileOf("programs/working-agent.ts")];
const proxyArguments = [fileOf("../../interop/programs/toolkit-proxy.ts"), process.execPath, ...agentArguments];

/** What the agent's last step waits for: a user that is away, or a command that goes on for minutes. */
const work = ["permission", "form", "form for a call", "url", "read", "write", "run", "extension", "login"] as const;
/** How long is waited for what is sure to come, in milliseconds: other tests run at the same time. */
const turnEndings = ["cancel", "abort", "close", "delete", "reopen"] as const;

interface Planned {
  readonly what: (typeof work)[number];
  readonly how: (typeof turnEndings)[number];
  /** For how many milliseconds it goes on first; otherwise until it waits. */
  readonly wait: number | undefined;
}

interface Connected {
  readonly agent: SpawnedAgent;
  readonly session: ClientSession;
  readonly state: SessionStore;
  /** How often somebody was asked who is away. */
  asked(): number;
  /** The processes that the agent had the client start. */
  pids(): number[];
}

const away = (): Promise<never> => new Promise(() => {});

/** Starts the agent, with a client of which nobody answers anything, in a directory of its own. */
async function connect(args: readonly string[]): Promise<Connected> {
  const directory = mkdtempSync(join(tmpdir(), "acp-cancellation-"));
  appendFileSync(join(directory, "pids"), "");
  appendFileSync(join(directory, "file"), "");
  let count = 0;
  const ask = (): Promise<never> => {
    count++;
    return away();
  };
  const client = createClient({
    info: { name: "client", version: "1.0.0" },
    capabilities: { elicitation: { form: {}, url: {} } },
    authenticate: ask,
    handlers: {
      ...terminals({ killGrace: 100 }),
      ...fileSystem(),
      "fs/read_text_file": ask,
      "fs/write_text_file": ask,
      "session/request_permission": ask,
      "elicitation/create": ask,
      _ask: ask,
    },
  });
  const agent = await spawnAgent(client, { command: process.execPath, args });
  onTestFinished(async () => {
    await agent.close();
    rmSync(directory, { recursive: true, force: true });
  });
  const session = await agent.newSession({ cwd: directory });
  return {
    agent,
    session,
    state: createSessionState(session),
    asked: () => count,
    pids: () =>
      readFileSync(join(directory, "pids"), "utf8")
        .split("\n")
        .flatMap((line) => (line === "" ? [] : [Number(line)])),
  };
}

/** Far less than what the turn waits for would take, in milliseconds. */
const promptness = 60_000;

/** Waits until a turn is under way that does `what`, or for as long as is said. */
async function underWay({ asked, pids }: Connected, before: number, wait: number | undefined): Promise<void> {
  if (wait === undefined) await expect.poll(() => asked() + pids().length).toBeGreaterThan(before);
  else await sleep(wait);
}

/** Ends a turn, and returns the session that is there then. */
async function end(
  { agent, session }: Connected,
  stop: AbortController,
  turn: ReturnType<ClientSession["prompt"]>,
  how: (typeof turnEndings)[number],
): Promise<ClientSession> {
  const { cwd } = session;
  if (how === "cancel") turn.cancel();
  else if (how === "abort") stop.abort();
  else if (how === "reopen") return agent.loadSession({ cwd, sessionId: session.id });
  else {
    await (how === "close" ? session.close() : session.agent.request("session/delete", {}));
    return agent.newSession({ cwd });
  }
  return session;
}

describe.each([
  ["", agentArguments],
  [" behind a proxy", proxyArguments],
])("a turn over the pipes of a process%s", (_where, args) => {
  test("ends with cancelled during any wait and with any result of its handler, and leaves nothing running (CANC-02, CANC-03, CANC-05, PERM-07, SESS-15)", async () => {
    const connected = await connect(args);
    const { agent } = connected;
    let { session, state } = connected;
    const plan: fc.Arbitrary<Planned> = fc.record({
      what: fc.constantFrom(...work),
      how: fc.constantFrom(...turnEndings),
      wait: fc.option(fc.nat(30), { nil: undefined }),
    });
    const each = work.map((what): [Planned] => [{ what, how: "cancel", wait: undefined }]);
    await fc.assert(
      fc.asyncProperty(plan, async ({ what, how, wait }) => {
        const before = connected.asked() + connected.pids().length;
        const stop = new AbortController();
        const turn = session.prompt(what, { signal: stop.signal });
        await underWay(connected, before, wait);
        const start = performance.now();
        const ending = end({ ...connected, session }, stop, turn, how);
        if (how !== "reopen") expect(unfinished(state)).toEqual([]);
        expect(await turn.response).toEqual({ stopReason: "cancelled" });
        expect(performance.now() - start).toBeLessThan(promptness);
        const next = await ending;
        expect(unfinished(state)).toEqual([]);
        await expect.poll(() => connected.pids().filter(isAlive)).toEqual([]);
        await expect.poll(() => agent.request("_pending")).toBe(0);
        if (next !== session) state = createSessionState(next);
        session = next;
        expect((await session.prompt("").response).stopReason).toBe("end_turn");
      }),
      { numRuns: work.length + 16, seed: 20_261_124, examples: each, endOnFailure: true },
    );
  });

  test.each(["the client closes", "the agent is killed"])(
    "is over when %s, and leaves nothing running",
    async (how) => {
      for (const what of ["run", "permission", "login"]) {
        const connected = await connect(args);
        const { agent, session, pids } = connected;
        const turn = session.prompt(what);
        await underWay(connected, 0, undefined);
        const start = performance.now();
        if (how === "the client closes") void agent.close();
        else process.kill(agent.process.pid, "SIGKILL");
        const code = how === "the client closes" ? "connection_closed" : "process_exited";
        await expect(turn.response).rejects.toMatchObject({ code });
        expect(performance.now() - start).toBeLessThan(promptness);
        await agent.closed;
        await expect.poll(() => [...pids(), agent.process.pid].filter(isAlive)).toEqual([]);
      }
    },
  );
});

function unfinished({ state }: SessionStore): unknown[] {
  return state.timeline
    .slice()
    .filter((item) => item.type === "tool_call" && (item.status === "pending" || item.status === "in_progress"));
}
