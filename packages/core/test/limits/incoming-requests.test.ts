// How much a peer may ask at a time.
import { describe, expect, it } from "vitest";
import { ErrorCode, UsageError } from "../../src/base/errors.ts";
import { createAgent } from "../../src/v1/agent.ts";
import { createClient } from "../../src/v1/client.ts";
import { createAgent as createAgentV2 } from "../../src/v2/agent.ts";
import { createClient as createClientV2 } from "../../src/v2/client.ts";
import { cells, startLimited } from "../support/limited.ts";

const tooMany = (limit: number, option = "maxIncomingRequests"): object => ({
  code: ErrorCode.tooManyRequests,
  message: `Too many requests without an answer: the limit is ${limit} (${option})`,
  data: { option, limit },
});

describe.each(cells)("%s with a limit of two requests", (_name, role, version) => {
  const start = () => startLimited(role, version, { maxIncomingRequests: 2 });

  it("refuses a third one at once, which names limit and option, and continues", async () => {
    const { ask, answer, finish, running, diagnostics, close } = await start();
    for (const id of [1, 2, 3]) ask(id);
    expect(await answer(3)).toEqual({ jsonrpc: "2.0", id: 3, error: tooMany(2) });
    expect(diagnostics).toMatchObject([
      { type: "over-limit", level: "warning", option: "maxIncomingRequests", limit: 2, count: 1 },
    ]);
    expect(diagnostics[0]?.message).toBe("Too many requests without an answer: the limit is 2 (maxIncomingRequests)");
    finish(1);
    expect(await answer(1)).toMatchObject({ result: { key: 1 } });
    ask(4);
    await expect.poll(running).toEqual([2, 4]);
    for (const id of [2, 4]) finish(id);
    expect(await answer(4)).toMatchObject({ result: { key: 4 } });
    await close();
  });

  it("takes cancels and answers of its peer while it is full, and a cancel makes room", async () => {
    const { peer, ask, answer, call, running, close } = await start();
    for (const id of [1, 2]) ask(id);
    const called = call("_x/called");
    const { id } = await peer.next(({ method }) => method === "_x/called");
    peer.send({ jsonrpc: "2.0", id, result: { done: true } });
    expect(await called).toEqual({ done: true });
    peer.send({ jsonrpc: "2.0", method: "$/cancel_request", params: { requestId: 1 } });
    expect(await answer(1)).toMatchObject({ error: { code: ErrorCode.requestCancelled } });
    ask(3);
    await expect.poll(running).toEqual([2, 3]);
    await close();
  });

  it("answers a malformed request all the same", async () => {
    const { peer, ask, diagnostics, close } = await start();
    for (const id of [1, 2]) ask(id);
    expect(await peer.call("_x/unknown")).toMatchObject({ error: { code: ErrorCode.methodNotFound } });
    expect(diagnostics).toMatchObject([{ type: "unknown-request" }]);
    await close();
  });

  it("reports the first refusal, and those that double their number, until all is answered", async () => {
    const { ask, answer, finish, diagnostics, close } = await start();
    const counts = (): unknown[] => diagnostics.map((diagnostic) => "count" in diagnostic && diagnostic.count);
    for (let id = 1; id <= 22; id++) ask(id);
    await answer(22);
    expect(counts()).toEqual([1, 2, 4, 8, 16]);
    for (const id of [1, 2]) finish(id);
    await answer(2);
    for (const id of [31, 32, 33]) ask(id);
    await answer(33);
    expect(counts()).toEqual([1, 2, 4, 8, 16, 1]);
    await close();
  });
});

// An agent of version 2 refuses such a request.
describe.each(cells.filter(([name]) => name !== "an agent of version 2"))("%s", (_name, role, version) => {
  it("counts each of those that have the id null", async () => {
    const { ask, answer, running, close } = await startLimited(role, version, { maxIncomingRequests: 2 });
    for (const id of [null, null, null]) ask(id);
    expect(await answer(null)).toMatchObject({ error: tooMany(2) });
    expect(running()).toHaveLength(2);
    await close();
  });
});

describe.each(cells)("%s with a limit of 1,000 characters", (_name, role, version) => {
  it("refuses requests above the limit, but not a large request that comes alone", async () => {
    const { ask, answer, finish, running, diagnostics, close } = await startLimited(role, version, {
      maxIncomingSize: 1000,
    });
    ask(1, { text: "x".repeat(2000) });
    ask(2);
    expect(await answer(2)).toMatchObject({ error: tooMany(1000, "maxIncomingSize") });
    expect(diagnostics).toMatchObject([{ type: "over-limit", option: "maxIncomingSize", limit: 1000, count: 1 }]);
    finish(1);
    await answer(1);
    for (const id of [3, 4, 5]) ask(id, { text: "x".repeat(300) });
    expect(await answer(5)).toMatchObject({ error: tooMany(1000, "maxIncomingSize") });
    expect(running()).toEqual([3, 4]);
    await close();
  });
});

describe.each(cells)("%s", (_name, role, version) => {
  it("takes 10,000 requests by default, and no more", async () => {
    const { ask, answer, running, peer, close } = await startLimited(role, version, {});
    for (let id = 1; id <= 10_002; id++) ask(id);
    expect(await answer(10_002)).toMatchObject({ error: tooMany(10_000) });
    expect(running().length).toBe(10_000);
    expect(peer.received.filter(({ error }) => error !== undefined)).toHaveLength(2);
    await close();
  });

  it("has no limit where that is asked for", async () => {
    const { ask, running, close } = await startLimited(role, version, { maxIncomingRequests: Infinity });
    for (let id = 1; id <= 10_002; id++) ask(id);
    await expect.poll(() => running().length).toBe(10_002);
    await close();
  });
});

const info = { name: "test", version: "1.0.0" };
const prompts = { handlers: { "session/prompt": () => ({ stopReason: "end_turn" as const }) } };

describe.each([
  ["createAgent", (limits: object) => createAgent({ info, ...prompts, ...limits })],
  ["createAgent of version 2", (limits: object) => createAgentV2({ info, ...prompts, ...limits })],
  ["createClient", (limits: object) => createClient({ info, ...limits })],
  ["createClient of version 2", (limits: object) => createClientV2({ info, ...limits })],
])("%s", (_name, create) => {
  it.each(["maxIncomingRequests", "maxIncomingSize"])("rejects a %s that is not a limit", (option) => {
    for (const limit of [0, -1, 1.5, Number.NaN, "5", true]) {
      expect(() => create({ [option]: limit })).toThrow(UsageError);
      expect(() => create({ [option]: limit })).toThrow(
        `${option} is ${limit}; expected a whole number from 1 on, or Infinity`,
      );
    }
    for (const limit of [1, Infinity, undefined, null]) expect(() => create({ [option]: limit })).not.toThrow();
  });
});
