// Turns in which nothing happens any more, with agents that are played by hand and a clock that the test holds.
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Diagnostic } from "../../src/base/diagnostics.ts";
import type { StallOptions } from "../../src/session/client/stall-watch.ts";
import { createClient } from "../../src/v1/client.ts";
import { connectRawAgent } from "../support/raw-agent.ts";
import { chunk, openRawSession } from "../support/raw-agent-v2.ts";
import type { RawPeer } from "../support/raw-peer.ts";

beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"] }));
afterEach(() => void vi.useRealTimers());

/** Lets everything on the way arrive. */
async function arrive(): Promise<void> {
  for (let i = 0; i < 10; i++) await new Promise((resolve) => setImmediate(resolve));
}

async function pass(milliseconds: number): Promise<void> {
  await vi.advanceTimersByTimeAsync(milliseconds);
  await arrive();
}

interface Options {
  readonly stall?: StallOptions;
  readonly cancelGrace?: number;
  readonly handlers?: object;
}

/** A turn that runs, in any version. */
interface Running {
  readonly version: number;
  readonly peer: RawPeer;
  readonly end: Promise<unknown>;
  /** What was reported of stalls. */
  readonly steps: () => unknown[];
  readonly diagnostics: readonly Diagnostic[];
  update(update: object, sessionId?: string): Promise<void>;
  text(): Promise<void>;
  call(status: string): Promise<void>;
  ask(method: string, params: object): Promise<void>;
  cancel(): void;
}

async function start(version: number, { handlers = {}, ...prompt }: Options = {}): Promise<Running> {
  const diagnostics: Diagnostic[] = [];
  const options = { onDiagnostic: (diagnostic: Diagnostic) => void diagnostics.push(diagnostic), handlers };
  const { peer, turn, end } = version === 1 ? await startV1(options, prompt) : await startV2(options, prompt);
  await arrive();
  const send = async (message: object): Promise<void> => {
    peer.send({ jsonrpc: "2.0", ...message });
    await arrive();
  };
  const update = (given: object, sessionId = "s"): Promise<void> =>
    send({ method: "session/update", params: { sessionId, update: given } });
  const createsCalls = version === 1 ? "tool_call" : "tool_call_update";
  return {
    version,
    peer,
    end,
    diagnostics,
    steps: () =>
      diagnostics.flatMap((each) =>
        each.type === "stalled" ? [[each.step, each.silence, each.lastSeen, each.sessionId]] : [],
      ),
    update,
    text: () => update(chunk("Hi")),
    call: (status) => update({ sessionUpdate: createsCalls, toolCallId: "c", title: "Build", status }),
    ask: (method, params) => send({ id: "q", method, params: { sessionId: "s", ...params } }),
    cancel: () => turn.cancel(),
  };
}

type Started = { readonly peer: RawPeer; readonly turn: { cancel(): void }; readonly end: Promise<unknown> };

async function startV1(options: object, prompt: object): Promise<Started> {
  const { peer, agent } = await connectRawAgent(options);
  const opening = agent.newSession({ cwd: "/" });
  const { id } = await peer.next(({ method }) => method === "session/new");
  peer.send({ jsonrpc: "2.0", id, result: { sessionId: "s" } });
  const turn = (await opening).prompt("Go", prompt);
  return { peer, turn, end: turn.response };
}

async function startV2(options: object, prompt: object): Promise<Started> {
  const raw = await openRawSession(options);
  const turn = raw.session.prompt("Go", prompt);
  await raw.answer("session/prompt", { result: { messageId: "m" } });
  raw.state("running");
  return { peer: raw.peer, turn, end: turn.finished };
}

const never = (): Promise<never> => new Promise(() => {});
const choices = [{ optionId: "no", name: "No", kind: "reject_once" }];
const permission = (version: number): object =>
  version === 1
    ? { toolCall: { toolCallId: "c" }, options: choices }
    : { title: "May I?", subject: { type: "tool_call", toolCall: { toolCallId: "c" } }, options: choices };
const cancelled = (peer: RawPeer): number => peer.received.filter(({ method }) => method === "session/cancel").length;

describe.each([1, 2])("a turn of version %i", (version) => {
  const lastBefore = version === 1 ? undefined : "session/update (state_update)";

  it("is reported after five minutes without a word, once, and continues", async () => {
    const turn = await start(version);
    await pass(299_000);
    expect(turn.steps()).toEqual([]);
    await pass(76_000);
    expect(turn.steps()).toEqual([["reported", 300_000, lastBefore, "s"]]);
    await pass(3_000_000);
    expect(turn.steps()).toHaveLength(1);
    expect(cancelled(turn.peer)).toBe(0);
  });

  it("is reported again when it falls silent again, with the latest message", async () => {
    const turn = await start(version, { stall: { after: 1000 } });
    await pass(1250);
    await turn.text();
    await pass(1250);
    const silent = ["reported", 1000, "session/update (agent_message_chunk)", "s"];
    expect(turn.steps()).toEqual([["reported", 1000, lastBefore, "s"], silent]);
  });

  it.each(["agent_message_chunk", "agent_thought_chunk", "usage_update", "available_commands_update"])(
    "makes progress with each %s",
    async (sessionUpdate) => {
      const turn = await start(version, { stall: { after: 1000 } });
      const more = { used: 1, size: 2, availableCommands: [] };
      for (let i = 0; i < 8; i++) {
        await pass(700);
        await turn.update({ ...chunk("Hi", "a", sessionUpdate), ...more });
      }
      expect(turn.steps()).toEqual([]);
    },
  );

  it("makes progress with updates of a session that nobody has opened", async () => {
    const turn = await start(version, { stall: { after: 1000 } });
    for (let i = 0; i < 8; i++) {
      await pass(700);
      await turn.update(chunk("Hi"), "other");
    }
    expect(turn.steps()).toEqual([]);
  });

  it("does not stall while a question is open, and has all its time after that", async () => {
    let reply!: (outcome: object) => void;
    const handlers = { "session/request_permission": () => new Promise((resolve) => void (reply = resolve)) };
    const turn = await start(version, { stall: { after: 1000 }, handlers });
    await turn.ask("session/request_permission", permission(version));
    await pass(60_000);
    expect(turn.steps()).toEqual([]);
    reply({ outcome: { outcome: "cancelled" } });
    await arrive();
    await pass(750);
    expect(turn.steps()).toEqual([]);
    await pass(500);
    expect(turn.steps()).toEqual([["reported", 1000, "session/request_permission", "s"]]);
  });

  it("does not stall while a question of a session is open that the agent has opened by itself", async () => {
    const handlers = { "session/request_permission": never };
    const turn = await start(version, { stall: { after: 1000 }, handlers });
    await turn.ask("session/request_permission", { ...permission(version), sessionId: "other" });
    await pass(60_000);
    expect(turn.steps()).toEqual([]);
  });

  it("does not stall while a tool call runs, which may be silent for an hour", async () => {
    const turn = await start(version, { stall: { after: 1000 } });
    await turn.call("in_progress");
    await pass(3_600_000);
    expect(turn.steps()).toEqual([]);
    await turn.update({ sessionUpdate: "tool_call_update", toolCallId: "c", status: "completed" });
    await pass(1250);
    expect(turn.steps()).toHaveLength(1);
  });

  it("does not stall while a handler of the client is behind", async () => {
    const turn = await start(version, { stall: { after: 1000 }, handlers: { "session/update": never } });
    await turn.text();
    await pass(60_000);
    expect(turn.steps()).toEqual([]);
  });

  it("does not stall while the program is suspended", async () => {
    const turn = await start(version, { stall: { after: 1000 } });
    vi.setSystemTime(Date.now() + 3_600_000);
    await pass(500);
    expect(turn.steps()).toEqual([]);
    await pass(1000);
    expect(turn.steps()).toHaveLength(1);
  });

  it("is not watched with Infinity, and leaves no timer when it has ended", async () => {
    const turn = await start(version, { stall: { after: Infinity } });
    expect(vi.getTimerCount()).toBe(0);
    await pass(3_000_000);
    expect(turn.steps()).toEqual([]);
    const watched = await start(version);
    expect(vi.getTimerCount()).toBe(1);
    if (version === 2) await watched.update({ sessionUpdate: "state_update", state: "idle", stopReason: "end_turn" });
    else {
      const { id } = watched.peer.received.find(({ method }) => method === "session/prompt")!;
      watched.peer.send({ jsonrpc: "2.0", id, result: { stopReason: "end_turn" } });
    }
    await watched.end;
    expect(vi.getTimerCount()).toBe(0);
  });

  it('is cancelled and then abandoned with `then: "cancel"`, each step reported', async () => {
    const turn = await start(version, { stall: { after: 1000, then: "cancel" } });
    await turn.text();
    await pass(1250);
    const lastSeen = "session/update (agent_message_chunk)";
    expect(turn.steps()).toEqual([["cancelled", 1000, lastSeen, "s"]]);
    expect(cancelled(turn.peer)).toBe(1);
    const end = expect(turn.end).rejects.toMatchObject({
      code: "timeout",
      phase: "cancel",
      milliseconds: 10_000,
      message: expect.stringContaining(`within 10000 ms of session/cancel. The last message was ${lastSeen}`),
    });
    await pass(10_000);
    await end;
    expect(turn.steps()[1]).toEqual(["given-up", 10_000, lastSeen, "s"]);
    expect(vi.getTimerCount()).toBe(0);
  });

  it("is abandoned ten seconds after a cancel if nothing arrives, and after thirty if anything does", async () => {
    const silent = await start(version);
    silent.cancel();
    const first = expect(silent.end).rejects.toMatchObject({ phase: "cancel", milliseconds: 10_000 });
    await pass(10_000);
    await first;
    const chatty = await start(version);
    chatty.cancel();
    const second = expect(chatty.end).rejects.toMatchObject({ phase: "cancel", milliseconds: 30_000 });
    for (let i = 0; i < 6; i++) {
      await chatty.text();
      await pass(5000);
    }
    await second;
  });

  it("waits the whole thirty seconds for a tool call that runs while it is cancelled", async () => {
    const turn = await start(version);
    await turn.call("in_progress");
    turn.cancel();
    const end = expect(turn.end).rejects.toMatchObject({ milliseconds: 30_000 });
    await pass(29_000);
    expect(turn.steps()).toEqual([]);
    await pass(1000);
    await end;
  });

  it("waits exactly as long as `cancelGrace` says", async () => {
    const turn = await start(version, { cancelGrace: 60_000 });
    turn.cancel();
    const end = expect(turn.end).rejects.toMatchObject({ milliseconds: 60_000 });
    await pass(59_000);
    expect(turn.steps()).toEqual([]);
    await pass(1000);
    await end;
  });
});

it("does not stall while a terminal of version 2 runs, unless that is background work", async () => {
  const turn = await start(2, { stall: { after: 1000 } });
  await turn.update({ sessionUpdate: "terminal_update", terminalId: "t", command: "make" });
  await pass(60_000);
  expect(turn.steps()).toEqual([]);
  const background = [{ type: "terminal", terminalId: "t" }];
  await turn.update({ sessionUpdate: "state_update", state: "running", background });
  await pass(1250);
  expect(turn.steps()).toHaveLength(1);
});

it("does not stall while the agent waits for a command in a terminal of the client", async () => {
  const handlers = {
    "terminal/create": never,
    "terminal/output": never,
    "terminal/wait_for_exit": never,
    "terminal/kill": never,
    "terminal/release": never,
  };
  const turn = await start(1, { stall: { after: 1000 }, handlers });
  await turn.ask("terminal/wait_for_exit", { terminalId: "t" });
  await pass(60_000);
  expect(turn.steps()).toEqual([]);
});

it("does not stall while somebody logs in", async () => {
  const { peer, agent } = await connectRawAgent({ authenticate: never });
  const opening = agent.newSession({ cwd: "/" });
  const { id } = await peer.next(({ method }) => method === "session/new");
  peer.send({ jsonrpc: "2.0", id, result: { sessionId: "s" } });
  const turn = (await opening).prompt("Go", { stall: { after: 1000, then: "cancel" } });
  const prompt = await peer.next(({ method }) => method === "session/prompt");
  peer.send({ jsonrpc: "2.0", id: prompt["id"], error: { code: -32000, message: "Log in" } });
  await pass(60_000);
  expect(cancelled(peer)).toBe(0);
  turn.cancel();
  expect(await turn.response).toEqual({ stopReason: "cancelled" });
});

it.each([
  ["NaN", { after: Number.NaN }],
  ["a negative time", { after: -1 }],
  ["an unknown step", { then: "kill" } as unknown as StallOptions],
])("%s is refused where it is given", async (_name, stall) => {
  const info = { name: "test", version: "1.0.0" };
  expect(() => createClient({ info, stall })).toThrow(expect.objectContaining({ code: "usage" }));
  await expect(start(1, { stall })).rejects.toMatchObject({ code: "usage" });
  await expect(start(2, { stall })).rejects.toMatchObject({ code: "usage" });
});
