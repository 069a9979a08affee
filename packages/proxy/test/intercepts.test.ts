// What a program in a proxy can do to messages, and what they are spared.
import { describe, expect, test } from "vitest";
import { connect } from "./support/by-hand.ts";

type Message = Record<string, unknown>;
const isMethod =
  (method: string) =>
  (message: Message): boolean =>
    message["method"] === method;
const isAnswer = (message: Message): boolean => message["method"] === undefined;

describe("createProxy() with a program that holds messages", () => {
  test("sends session/cancel at once, and once more after the prompt", async () => {
    let go: () => void = () => {};
    const { client, agent, close } = connect({
      fromClient: async (message, forward) => {
        if (message.method === "session/prompt") await new Promise<void>((resolve) => (go = resolve));
        return forward(message);
      },
    });
    const cancel = {
      jsonrpc: "2.0",
      method: "session/cancel",
      params: { sessionId: "s", _meta: { why: 1 } },
      beside: 2,
    };
    client.send({ jsonrpc: "2.0", id: 1, method: "session/prompt", params: { sessionId: "s", prompt: [] } });
    await client.settle();
    client.send({ jsonrpc: "2.0", method: "session/cancel", params: { sessionId: "other" } });
    client.send(cancel);
    expect(await agent.next(({ beside }) => beside === 2)).toEqual(cancel);
    go();
    await agent.next(isMethod("session/prompt"));
    expect(await agent.next(() => true)).toEqual(cancel);
    // The next prompt is not meant.
    client.send({ jsonrpc: "2.0", id: 2, method: "session/prompt", params: { sessionId: "s", prompt: [] } });
    await client.settle();
    go();
    await agent.next(isMethod("session/prompt"));
    await agent.settle();
    expect(agent.received.at(-1)).toMatchObject({ method: "session/prompt" });
    await close();
  });

  test("sends it after the prompt even where an intercept gives sessions other ids", async () => {
    let goOn = (): void => {};
    const { client, agent, close } = connect({
      fromClient: async (message, forward) => {
        if (message.method === "session/prompt") await new Promise<void>((resolve) => (goOn = resolve));
        return forward({ ...message, params: { sessionId: "theirs" } });
      },
    });
    client.send({ jsonrpc: "2.0", id: 1, method: "session/prompt", params: { sessionId: "ours" } });
    client.send({ jsonrpc: "2.0", method: "session/cancel", params: { sessionId: "ours" } });
    await agent.next(isMethod("session/cancel"));
    goOn();
    await agent.next(isMethod("session/prompt"));
    await agent.settle();
    expect(agent.received.map(({ method }) => method)).toEqual(["session/cancel", "session/prompt", "session/cancel"]);
    expect(agent.received.at(-1)).toMatchObject({ params: { sessionId: "theirs" } });
    await close();
  });

  test("cancels no prompt that came after session/cancel", async () => {
    let goOn = (): void => {};
    const { client, agent, close } = connect({
      fromClient: async (message, forward) => {
        if (message.method === "session/cancel") await new Promise<void>((resolve) => (goOn = resolve));
        return forward(message);
      },
    });
    client.send({ jsonrpc: "2.0", method: "session/cancel", params: { sessionId: "s" } });
    client.send({ jsonrpc: "2.0", id: 1, method: "session/prompt", params: { sessionId: "s" } });
    client.send({ jsonrpc: "2.0", id: 2, method: "session/prompt", params: { sessionId: "other" } });
    await agent.next(isMethod("session/prompt"));
    goOn();
    await agent.next(isMethod("session/prompt"));
    await agent.settle();
    expect(agent.received).toMatchObject([
      { method: "session/prompt", params: { sessionId: "other" } },
      { method: "session/cancel" },
      { method: "session/prompt", params: { sessionId: "s" } },
    ]);
    await close();
  });

  test("passes on no request that was cancelled meanwhile", async () => {
    let go: () => void = () => {};
    const { client, agent, close, diagnostics } = connect({
      fromClient: async (message, forward) => {
        if (message.kind === "request") await new Promise<void>((resolve) => (go = resolve));
        return forward(message);
      },
    });
    client.send({ jsonrpc: "2.0", id: "a", method: "session/prompt", params: { sessionId: "s" } });
    client.send({ jsonrpc: "2.0", method: "$/cancel_request", params: { requestId: "a" } });
    await client.settle();
    go();
    expect(await client.next(isAnswer)).toMatchObject({ id: "a", error: { code: -32800 } });
    await agent.settle();
    expect(agent.received).toEqual([]);
    await close();
    expect(diagnostics).toEqual([]);
  });

  test("lets no answer overtake that of initialize", async () => {
    const { client, agent, close } = connect({
      fromClient: async (message, forward) => {
        const answer = await forward(message);
        if (message.method === "initialize") await client.settle();
        return answer;
      },
    });
    for (const [id, method] of ["initialize", "session/new", "_acme/fail"].entries())
      client.send({ jsonrpc: "2.0", id, method });
    for (const answer of [{ result: {} }, { result: {} }, { error: { code: 1, message: "No" } }]) {
      const { id } = await agent.next(() => true);
      agent.send({ jsonrpc: "2.0", id, ...answer });
    }
    await client.next(({ error }) => error !== undefined);
    expect(client.received.map(({ id }) => id)).toEqual([0, 1, 2]);
    await close();
  });
});

describe("createProxy() with a program that has something to say", () => {
  test("lets it call both sides, and tells it that a request was cancelled", async () => {
    const { client, agent, close, diagnostics } = connect({
      fromClient: async (message, forward, context) => {
        if (message.method !== "_acme/go") return forward(message);
        await context.client.notify("_acme/note", { to: "client" });
        const answer = await context.agent.request("_acme/ask", { to: "agent" });
        await new Promise((resolve) => context.signal.addEventListener("abort", resolve));
        return answer;
      },
      fromAgent: async (message, forward, context) => {
        if (message.method !== "_acme/go") return forward(message);
        await context.agent.notify("_acme/note", { to: "agent" });
        return context.client.request("_acme/ask", { to: "client" });
      },
    });
    client.send({ jsonrpc: "2.0", id: "c", method: "_acme/go" });
    expect(await client.next(isMethod("_acme/note"))).toMatchObject({ params: { to: "client" } });
    const asked = await agent.next(isMethod("_acme/ask"));
    agent.send({ jsonrpc: "2.0", id: asked["id"], result: { yes: 1 } });
    await agent.settle();
    client.send({ jsonrpc: "2.0", method: "$/cancel_request", params: { requestId: "c" } });
    expect(await client.next(isAnswer)).toEqual({ jsonrpc: "2.0", id: "c", result: { yes: 1 } });
    agent.send({ jsonrpc: "2.0", id: "a", method: "_acme/go" });
    expect(await agent.next(isMethod("_acme/note"))).toMatchObject({ params: { to: "agent" } });
    const { id } = await client.next(isMethod("_acme/ask"));
    client.send({ jsonrpc: "2.0", id, error: { code: 5, message: "No" } });
    expect(await agent.next(isAnswer)).toMatchObject({ id: "a", error: { code: -32603 } });
    await close();
    expect(diagnostics).toMatchObject([{ type: "handler-failed", error: { method: "_acme/ask", wire: { code: 5 } } }]);
  });
});

describe("createProxy() with a program that fails", () => {
  test("sends nothing without a method", async () => {
    const { client, agent, close, diagnostics } = connect({
      fromClient: ({ params }, forward) => forward({ params } as never),
    });
    expect(await client.call("_acme/x", {})).toMatchObject({ error: { code: -32603 } });
    client.send({ jsonrpc: "2.0", method: "_acme/y" });
    await client.settle();
    expect(agent.received).toEqual([]);
    await close();
    const message = expect.stringContaining("needs a method: forward({ ...message, params })") as string;
    expect(diagnostics).toMatchObject([
      { type: "handler-failed", method: "_acme/x", error: { code: "usage" }, message },
      { type: "handler-failed", method: "_acme/y", error: { code: "usage" }, message },
    ]);
  });

  test.each([true, false])("reports an unsendable message once, whether it waits for it (%s) or not", async (waits) => {
    const { client, agent, close, diagnostics } = connect({
      fromClient: ({ method }, forward) => {
        const sent = forward({ method, params: 1n });
        return waits ? sent : undefined;
      },
    });
    client.send({ jsonrpc: "2.0", method: "_acme/x" });
    await client.settle();
    expect(agent.received).toEqual([]);
    await close();
    expect(diagnostics).toMatchObject([{ type: "unsendable", method: "_acme/x", error: { code: "usage" } }]);
  });

  test("continues when nobody waits for the error that was answered", async () => {
    const { client, agent, close, diagnostics } = connect({
      fromClient: (message, forward) => {
        void forward(message);
        return { early: true };
      },
    });
    expect(await client.call("_acme/x")).toMatchObject({ result: { early: true } });
    const { id } = await agent.next(isMethod("_acme/x"));
    agent.send({ jsonrpc: "2.0", id, error: { code: 1, message: "No" } });
    await agent.settle();
    await close();
    expect(diagnostics).toEqual([]);
  });
});

test("createProxy() tells ids apart that are the same number once they are rounded", async () => {
  const { client, agent, close } = connect();
  const ids = ["9007199254740992", "9007199254740993", "1.5", "1"];
  for (const id of ids) client.send(`{"jsonrpc":"2.0","id":${id},"method":"_acme/x","params":{"id":"${id}"}}`);
  for (const requestId of ids) {
    client.send(`{"jsonrpc":"2.0","method":"$/cancel_request","params":{"requestId":${requestId}}}`);
    const { params } = await agent.next(isMethod("$/cancel_request"));
    const cancelled = agent.received.filter(({ id }) => id === (params as Message)["requestId"]);
    expect(cancelled).toMatchObject([{ params: { id: requestId } }]);
  }
  await agent.settle();
  expect(agent.received.filter(isMethod("$/cancel_request"))).toHaveLength(ids.length);
  await close();
});
