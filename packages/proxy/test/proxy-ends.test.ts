// How proxies begin and end: with an agent that is not there, late or gone, and with clients that leave.
import type { Transport } from "@acp/core";
import { describe, expect, test } from "vitest";
import { createRawPeer } from "../../core/test/support/raw-peer.ts";
import type { Intercept } from "../src/index.ts";
import { connect } from "./support/by-hand.ts";

type Message = Record<string, unknown>;
const isMethod =
  (method: string) =>
  (message: Message): boolean =>
    message["method"] === method;
const isAnswer = (message: Message): boolean => message["method"] === undefined;
const update = (index: number): object => ({
  jsonrpc: "2.0",
  method: "session/update",
  params: { sessionId: "s", index },
});

describe("createProxy() without an agent", () => {
  test("answers the client's first request with the cause, reports it, and closes the connection", async () => {
    const error = Object.assign(new Error("spawn secret ENOENT"), { reason: "ENOENT", command: "my-agent" });
    const { client, closed, diagnostics } = connect({ connect: () => Promise.reject(error) });
    await client.settle();
    // Until somebody asks there is nobody to tell.
    expect(client.closed).toBe(false);
    client.send({ jsonrpc: "2.0", method: "_acme/note" });
    client.send({ jsonrpc: "2.0", id: 1, method: "initialize" });
    client.send({ jsonrpc: "2.0", id: 2, method: "session/new" });
    const message = "The agent could not be started (ENOENT: my-agent)";
    for (const id of [1, 2])
      expect(await client.next(isAnswer)).toEqual({ jsonrpc: "2.0", id, error: { code: -32603, message } });
    await closed;
    expect(client.closed).toBe(true);
    const told = "The proxy has no connection with the agent: spawn secret ENOENT";
    expect(diagnostics).toMatchObject([{ type: "closed", message: told, error: { message: told, cause: error } }]);
  });

  test("reports it as well where connect() throws", async () => {
    const { client, closed } = connect({
      connect: () => {
        throw new Error("secret");
      },
    });
    expect(await client.call("initialize")).toMatchObject({
      error: { code: -32603, message: "The agent could not be started" },
    });
    await closed;
  });

  test("keeps messages in order until it is there", async () => {
    let arrive: (transport: Transport) => void = () => {};
    const { client, close } = connect({ connect: () => new Promise((resolve) => (arrive = resolve)) });
    const sent = ["initialize", "session/new", "_acme/a", "_acme/b"];
    for (const [id, method] of sent.entries()) client.send({ jsonrpc: "2.0", id, method });
    client.send({ jsonrpc: "2.0", method: "session/cancel", params: { sessionId: "s" } });
    await client.settle();
    const agent = createRawPeer((transport) => arrive(transport));
    await agent.next(isMethod("session/cancel"));
    expect(agent.received.map(({ method }) => method)).toEqual([...sent, "session/cancel"]);
    await close();
  });

  test("aborts the signal of connect() when the client is gone, and closes a late connection", async () => {
    let signal: AbortSignal | undefined;
    let arrive: (transport: Transport) => void = () => {};
    const { close, closed, diagnostics } = connect({
      connect: (options) => {
        ({ signal } = options);
        return new Promise((resolve) => (arrive = resolve));
      },
    });
    await close();
    await closed;
    expect(signal?.aborted).toBe(true);
    await new Promise<void>((resolve) => {
      const nothing = (): void => {};
      arrive({ start: nothing, send: nothing, pause: nothing, resume: nothing, close: async () => resolve() });
    });
    expect(diagnostics).toEqual([]);
  });

  test("receives nothing but the end from a connect() that is cancelled with its client", async () => {
    const { client, close, closed, diagnostics } = connect({
      connect: ({ signal }) =>
        new Promise((_, reject) => signal.addEventListener("abort", () => reject(new Error("Gave up")))),
    });
    client.send({ jsonrpc: "2.0", id: 1, method: "initialize" });
    await client.settle();
    await close();
    await closed;
    expect(diagnostics).toEqual([]);
  });
});

describe("createProxy() whose agent ends", () => {
  test("reports it to the client that waits for it", async () => {
    const { client, agent, closed, diagnostics } = connect();
    client.send({ jsonrpc: "2.0", id: 1, method: "session/prompt", params: { sessionId: "s" } });
    await agent.next(isMethod("session/prompt"));
    await agent.close();
    expect(await client.next(isAnswer)).toMatchObject({ error: { code: -32603, message: "The agent has ended" } });
    await closed;
    expect(diagnostics).toEqual([]);
  });

  test("reports it after all messages of the agent", async () => {
    let goOn = (): void => {};
    const first = new Promise<void>((resolve) => (goOn = resolve));
    const { client, agent, closed } = connect({
      fromAgent: async (message, forward) => {
        await first;
        return forward(message);
      },
    });
    client.send({ jsonrpc: "2.0", id: 1, method: "session/prompt", params: { sessionId: "s" } });
    await agent.next(isMethod("session/prompt"));
    for (let index = 0; index < 3; index++) agent.send(update(index));
    await agent.close();
    await client.settle();
    goOn();
    await closed;
    expect(client.received).toEqual([...[0, 1, 2].map(update), expect.objectContaining({ id: 1 })]);
  });

  test("does not wait for a program that holds it up", async () => {
    const { client, agent, closed } = connect({ fromAgent: () => new Promise(() => {}) });
    client.send({ jsonrpc: "2.0", id: 1, method: "session/prompt", params: { sessionId: "s" } });
    await agent.next(isMethod("session/prompt"));
    agent.send(update(0));
    await agent.close();
    await closed;
    expect(client.received).toMatchObject([{ error: { code: -32603, message: "The agent has ended" } }]);
  });
});

describe("createProxy() whose client ends", () => {
  test("passes on the rest of a turn to a client that only sends no more", async () => {
    const { client, agent, endInput, closed, diagnostics } = connect();
    client.send({ jsonrpc: "2.0", id: 1, method: "session/prompt", params: { sessionId: "s" } });
    const { id } = await agent.next(isMethod("session/prompt"));
    endInput();
    for (let index = 0; index < 3; index++) agent.send(update(index));
    agent.send({ jsonrpc: "2.0", id, result: { stopReason: "end_turn" } });
    await closed;
    expect(client.received).toEqual([
      ...[0, 1, 2].map(update),
      { jsonrpc: "2.0", id: 1, result: { stopReason: "end_turn" } },
    ]);
    expect(agent.closed).toBe(true);
    expect(diagnostics).toEqual([]);
  });

  test("passes on its last messages, although it had to wait for the agent", async () => {
    let arrive: (transport: Transport) => void = () => {};
    const { client, endInput, closed } = connect({ connect: () => new Promise((resolve) => (arrive = resolve)) });
    client.send({ jsonrpc: "2.0", id: 1, method: "initialize" });
    await client.settle();
    endInput();
    const agent = createRawPeer((transport) => arrive(transport));
    const { id } = await agent.next(isMethod("initialize"));
    agent.send({ jsonrpc: "2.0", id, result: { protocolVersion: 1 } });
    await closed;
    expect(client.received).toEqual([{ jsonrpc: "2.0", id: 1, result: { protocolVersion: 1 } }]);
  });

  test("gives a turn up that takes longer, and ends the agent", async () => {
    const { client, agent, endInput, closed, diagnostics } = connect();
    client.send({ jsonrpc: "2.0", id: 1, method: "session/prompt", params: { sessionId: "s" } });
    await agent.next(isMethod("session/prompt"));
    endInput();
    expect(await client.next(isAnswer)).toMatchObject({ id: 1, error: { code: -32800 } });
    await closed;
    await agent.settle();
    expect(agent.closed).toBe(true);
    expect(diagnostics).toEqual([]);
  });

  test.each<[string, Intercept | undefined]>([
    ["nothing is told of what the agent still sends", undefined],
    // A logger that waits for nothing.
    [
      "an intercept that does not return what forward() does is no failure",
      (message, forward) => void forward(message),
    ],
  ])("%s", async (_, fromAgent) => {
    const { client, agent, close, closed, diagnostics } = connect({ fromAgent });
    client.send({ jsonrpc: "2.0", id: 1, method: "session/prompt", params: { sessionId: "s" } });
    await agent.next(isMethod("session/prompt"));
    for (let index = 0; index < 10; index++) agent.send(update(index));
    await close();
    for (let index = 10; index < 20; index++) agent.send(update(index));
    agent.send({ jsonrpc: "2.0", id: 7, method: "session/request_permission", params: { sessionId: "s" } });
    // Of a request it is told that nobody is there to answer.
    if (fromAgent === undefined)
      expect(await agent.next(isAnswer)).toMatchObject({
        id: 7,
        error: { code: -32603, message: "The client is gone" },
      });
    await closed;
    expect(diagnostics).toEqual([]);
  });
});
