import { settled, testClock, type TestClock } from "@acp/testing";
import { beforeEach, describe, expect, test } from "vitest";

import { createDeferred, type Deferred } from "../../src/deferred.ts";
import { HubSessions } from "../../src/front/hub-sessions.ts";
import { type Command, decodeEntry, type Entry } from "../../src/journal/entry.ts";
import type { Claim, Journal } from "../../src/journal/journal.ts";
import { createMemoryJournal } from "../../src/journal/memory-journal.ts";
import type { AgentEvents, AgentLink } from "../../src/keeper/agent-link.ts";
import { Keeper } from "../../src/keeper/keeper.ts";
import { checkLimits } from "../../src/keeper/limits.ts";
import { localKeepers } from "../../src/keeper/local-keepers.ts";
import { changed } from "../support/changed-journal.ts";

/** An agent that a test leads. */
interface LedAgent {
  readonly events: AgentEvents;
  readonly signal: AbortSignal;
  readonly opening: Deferred<void>;
  readonly prompts: { readonly prompt: readonly unknown[]; readonly turn: Deferred<unknown> }[];
  isClosed: boolean;
}

const setup = { cwd: "/", additionalDirectories: [], mcpServers: [] };
const lease = 8000;
let clock: TestClock;
let journal: Journal;
let agents: LedAgent[];
let opensAtOnce: boolean;

beforeEach(async () => {
  clock = testClock();
  journal = createMemoryJournal({ now: () => clock.now() });
  await journal.create("s", { agent: "test", cwd: "/" });
  [agents, opensAtOnce] = [[], true];
});

const openAgent = async (_setup: unknown, events: AgentEvents, signal: AbortSignal): Promise<AgentLink> => {
  const agent: LedAgent = { events, signal, opening: createDeferred(), prompts: [], isClosed: false };
  agents.push(agent);
  if (!opensAtOnce) {
    signal.addEventListener("abort", () => agent.opening.reject(signal.reason));
    await agent.opening.promise;
  }
  return {
    opened: { version: 1, sessionId: "inner", capabilities: {}, setup: {} },
    prompt: (prompt) => {
      const turn = createDeferred<unknown>();
      agent.prompts.push({ prompt, turn });
      return turn.promise;
    },
    cancel: () => agent.prompts.at(-1)?.turn.resolve({ stopReason: "cancelled" }),
    call: () => Promise.resolve({}),
    close: () => {
      agent.isClosed = true;
      agent.prompts.at(-1)?.turn.reject(new Error("The agent is closed"));
      events.ended(undefined);
      return Promise.resolve();
    },
  };
};

const limits = checkLimits({ lease, prompts: 2 });

async function start(parts: Partial<Parameters<typeof Keeper.start>[0]> = {}): Promise<Keeper> {
  const keeper = await Keeper.start({ journal, session: "s", openAgent, setup, limits, clock, ...parts });
  if (keeper === undefined) throw new Error("There is no session");
  return keeper;
}

/** Sends a command and lets it be handled. */
async function send(key: string, command: Command): Promise<void> {
  await journal.send("s", key, JSON.stringify(command));
  await clock.pass(2000);
}

const prompt = (client = "c"): Command => ({ type: "prompt", v: 1, prompt: [], client });

async function entries(): Promise<readonly Entry[]> {
  const page = await journal.read("s", "start", Infinity);
  return (typeof page === "object" ? page.entries : []).flatMap((text) => decodeEntry(text) ?? []);
}

/** How a command has ended. */
async function endOf(key: string): Promise<unknown> {
  for (const entry of await entries()) {
    if (entry.t === "done" && entry.key === key) return entry.error ?? entry.result ?? "done";
    if (entry.t === "state" && entry.key === key && !["running", "requires_action"].includes(entry.state.state))
      return entry.state;
  }
  return undefined;
}

/** The commands that wait. */
async function waiting(): Promise<number> {
  const all = await entries();
  const { epoch = 1, n = 0 } = all.at(-1) ?? {};
  for (const keeper of ["k", "l"]) {
    const claim: Claim = { session: "s", keeper, epoch, next: n + 1 };
    const commands = await journal.commands(claim, 0);
    if (commands.length > 0) return commands.length;
  }
  return 0;
}

describe("a keeper", () => {
  test("cancels a prompt whose agent still starts: the agent never gets it", async () => {
    opensAtOnce = false;
    await start();
    await send("p", prompt());
    await send("c", { type: "cancel", client: "other" });
    agents[0]?.opening.resolve();
    await clock.pass(100);
    expect(await endOf("p")).toEqual({ stopReason: "cancelled" });
    expect(agents[0]?.prompts).toEqual([]);
  });

  test("lets the next prompt run when a cancel comes late", async () => {
    await start();
    await send("p", prompt());
    agents[0]?.prompts[0]?.turn.resolve({ stopReason: "end_turn" });
    await send("q", prompt());
    await send("r", prompt());
    await send("c", { type: "cancel", client: "c", prompts: ["p"] });
    for (const index of [1, 2]) {
      agents[0]?.prompts[index]?.turn.resolve({ stopReason: "end_turn" });
      await clock.pass(100);
    }
    expect(await endOf("q")).toMatchObject({ response: { stopReason: "end_turn" } });
    expect(await endOf("r")).toMatchObject({ response: { stopReason: "end_turn" } });
  });

  test("cancels a prompt that comes behind its cancel, and only that one", async () => {
    await start();
    await send("c", { type: "cancel", client: "c", prompts: ["p"] });
    await send("p", prompt());
    await send("q", prompt());
    expect(await endOf("p")).toEqual({ stopReason: "cancelled" });
    expect(agents[0]?.prompts).toHaveLength(1);
    agents[0]?.prompts[0]?.turn.resolve({ stopReason: "end_turn" });
    await clock.pass(100);
    expect(await endOf("q")).toMatchObject({ response: { stopReason: "end_turn" } });
  });

  test("drops those of the waiting prompts of a client that a cancel names", async () => {
    await start();
    for (const key of ["p", "q", "r"]) await send(key, prompt());
    await send("c", { type: "cancel", client: "c", prompts: ["r"] });
    expect(await endOf("r")).toEqual({ stopReason: "cancelled" });
    expect([await endOf("p"), await endOf("q")]).toEqual([undefined, undefined]);
  });

  test("cancels a prompt that is being stored: the agent never gets it", async () => {
    let held: Deferred<void> | undefined;
    await start({
      journal: changed(journal, {
        append: async (writes: Parameters<Journal["append"]>[0]) => {
          await held?.promise;
          return await journal.append(writes);
        },
      }),
    });
    await send("warm", prompt());
    agents[0]?.prompts[0]?.turn.resolve({ stopReason: "end_turn" });
    await settled();
    held = createDeferred();
    await send("p", prompt());
    await send("c", { type: "cancel", client: "c" });
    held.resolve();
    await clock.pass(100);
    expect(await endOf("p")).toMatchObject({ state: "idle", response: { stopReason: "cancelled" } });
    expect(agents[0]?.prompts).toHaveLength(1);
  });

  test("that is closed stores how the turn ended, refuses what waits, and then lets go of the session", async () => {
    const keeper = await start();
    await send("p", prompt());
    await send("q", prompt());
    await keeper.close();
    expect(await endOf("p")).toMatchObject({ state: "idle", error: expect.anything() });
    expect(await endOf("q")).toMatchObject({ message: "The session was stopped" });
    expect((await entries()).filter(({ t }) => t === "ended")).toHaveLength(1);
    expect(agents[0]?.isClosed).toBe(true);
    expect(await journal.claim("s", "next", lease)).toMatchObject({ keeper: "next" });
  });

  test("that is closed while its agent starts does not wait for it", async () => {
    opensAtOnce = false;
    const keeper = await start();
    await send("p", prompt());
    await keeper.close();
    expect([agents[0]?.signal.aborted, await endOf("p")]).toMatchObject([true, { message: "The session was stopped" }]);
  });

  test("that cannot extend its claim for as long as that lasts ends its agent", async () => {
    const keeper = await start({
      journal: changed(journal, { renew: () => Promise.reject(new Error("down")) }),
    });
    await keeper.open();
    await clock.pass(lease - 1);
    expect(agents[0]?.isClosed).toBe(false);
    await clock.pass(1);
    expect(agents[0]?.isClosed).toBe(true);
    await keeper.closed;
  });

  test("that writes nothing ends as well when the engine has forgotten what it had written", async () => {
    let isForgotten = false;
    const keeper = await start({
      journal: changed(journal, {
        read: (...args) => (isForgotten ? Promise.resolve("gone" as const) : journal.read(...args)),
      }),
    });
    await keeper.open();
    await clock.pass(60_000);
    expect(agents[0]?.isClosed).toBe(false);
    isForgotten = true;
    await clock.pass(20_000);
    await keeper.closed;
    expect(agents[0]?.isClosed).toBe(true);
  });

  test("tells each state once, never before the message, and the last one is right", async () => {
    await start();
    await send("p", prompt());
    const ask = async (): Promise<unknown> =>
      await agents[0]?.events.ask("elicitation/create", {}, new AbortController().signal);
    const asked = [ask(), ask()];
    await clock.pass(100);
    const ids = (await entries()).flatMap((entry) => (entry.t === "ask" ? entry.id : []));
    for (const id of ids) await send(`a${id}`, { type: "answer", ask: id, v: 1, result: { action: "decline" } });
    await Promise.all(asked);
    const told = (await entries()).flatMap((entry) =>
      entry.t === "message" ? "message" : entry.t === "state" ? entry.state.state : [],
    );
    expect(told).toEqual(["message", "running", "requires_action", "running"]);
  });

  test("removes a command that is done, also if that fails at first", async () => {
    let failures = 3;
    await start({
      journal: changed(journal, {
        settle: (claim: Claim, places: readonly number[]) => {
          failures -= 1;
          return failures >= 0 ? Promise.reject(new Error("down")) : journal.settle(claim, places);
        },
      }),
    });
    await send("secret", { type: "answer", ask: "none", v: 1, result: {} });
    await clock.pass(10_000);
    expect(failures).toBeLessThan(0);
    expect(await waiting()).toBe(0);
  });

  test("tells again how a command has ended whose end compaction has left out", async () => {
    await start();
    const key = { code: -32602, message: "Already answered" };
    for (const time of [1, 2]) {
      await send("x", { type: "answer", ask: "none", v: 1, result: {} });
      const done = (await entries()).filter((entry) => entry.t === "done" && entry.key === "x");
      expect(done.map((entry) => entry.t === "done" && entry.error)).toEqual(Array.from({ length: time }, () => key));
    }
  });

  test("refuses a command that only a later version of fronts knows", async () => {
    await start();
    await send("x", { type: "dance" } as never);
    expect(await endOf("x")).toMatchObject({ code: -32601 });
  });

  test("takes no notice of a stop that was sent when nobody kept the session", async () => {
    await send("old", { type: "stop" });
    const keeper = await start();
    await keeper.open();
    await clock.pass(3000);
    expect([await endOf("old"), agents[0]?.isClosed]).toEqual(["done", false]);
    await send("new", { type: "stop" });
    expect([await endOf("new"), agents[0]?.isClosed]).toEqual(["done", true]);
  });
});

describe("a keeper that takes over from one that is gone", () => {
  /** Leaves a session as a keeper leaves it that is killed in mid turn. */
  async function leave(): Promise<void> {
    let isDead = false;
    await start({
      journal: changed(journal, {
        release: () => Promise.resolve(),
        append: (writes: Parameters<Journal["append"]>[0]) =>
          isDead ? new Promise<never>(() => {}) : journal.append(writes),
        renew: () => new Promise<never>(() => {}),
        commands: (claim: Claim, after: number) =>
          isDead ? new Promise<never>(() => {}) : journal.commands(claim, after),
      }),
    });
    await send("p", prompt());
    await send("q", prompt());
    void agents[0]?.events.update({ sessionUpdate: "tool_call", toolCallId: "t", title: "T", status: "pending" });
    void agents[0]?.events.ask("elicitation/create", {}, new AbortController().signal).catch(() => {});
    await clock.pass(100);
    isDead = true;
    await clock.pass(lease);
  }

  test("ends what it has left: the turn is unknown, its calls failed, its question withdrawn; what waited runs", async () => {
    await leave();
    const keeper = await start();
    await clock.pass(100);
    expect(await endOf("p")).toEqual({ state: "unknown" });
    expect([...keeper.facts.running, ...keeper.facts.asks.keys()]).toEqual([]);
    expect(JSON.stringify(await entries())).toContain('"toolCallId":"t","status":"failed"');
    expect(agents[1]?.prompts).toHaveLength(1);
    agents[1]?.prompts[0]?.turn.resolve({ stopReason: "end_turn" });
    await settled();
    expect(await endOf("q")).toMatchObject({ state: "idle" });
  });

  test("is started by a front whose clients wait, once the lease has ended", async () => {
    await journal.claim("s", "elsewhere", lease);
    const openAgentOf = (): typeof openAgent => openAgent;
    const keepers = localKeepers({ journal, clock, limits, openAgentOf });
    const sessions = new HubSessions({ journal, keepers, clock, maxLive: 50, maxClients: 9 });
    const keeperStart = { session: "s", program: { name: "test", command: "test" }, setup };
    const feed = await sessions.feed("s");
    await sessions.ensureKept(keeperStart);
    await sessions.send("s", prompt(), "p");
    await clock.pass(lease - 10);
    expect(agents).toEqual([]);
    await clock.pass(6000);
    agents[0]?.prompts[0]?.turn.resolve({ stopReason: "end_turn" });
    await clock.pass(100);
    expect(feed.facts.endings.get("p")).toEqual({ result: { stopReason: "end_turn" } });
    await sessions.close();
  });
});

describe("the sessions of a front", () => {
  function sessionsOf(change: Partial<Journal> = {}): HubSessions {
    const shaky = changed(journal, change);
    const keepers = localKeepers({ journal, clock, limits, openAgentOf: () => openAgent });
    return new HubSessions({ journal: shaky, keepers, clock, maxLive: 50, maxClients: 9 });
  }

  test("give everybody a feed that is read, also who comes while the last one goes", async () => {
    const sessions = sessionsOf();
    const first = await sessions.feed("s");
    const coming = sessions.feed("s");
    sessions.release(first);
    const feed = await coming;
    await start();
    await send("x", { type: "dance" } as never);
    await clock.pass(3000);
    expect(feed.facts.endings.has("x")).toBe(true);
  });

  test("send a command again while the journal cannot be reached, and it counts once", async () => {
    const outcomes = ["fails", "answer lost", "works"];
    const sessions = sessionsOf({
      send: async (...args) => {
        const outcome = outcomes.shift();
        if (outcome === "fails") throw new Error("down");
        const sent = await journal.send(...args);
        if (outcome === "answer lost") throw new Error("lost");
        return sent;
      },
    });
    const sending = sessions.send("s", prompt(), "p");
    await clock.pass(5000);
    expect(await sending).toBe("p");
    await start();
    await clock.pass(100);
    expect(agents[0]?.prompts).toHaveLength(1);
  });

  test("give up on a command after 30 seconds", async () => {
    const sessions = sessionsOf({ send: () => Promise.reject(new Error("down")) });
    const sending = sessions.send("s", prompt(), "p");
    const outcome = sending.catch(String);
    await clock.pass(40_000);
    expect(await outcome).toBe("Error: down");
  });
});
