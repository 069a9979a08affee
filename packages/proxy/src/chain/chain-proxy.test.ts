import { createAgent, createClient, type Diagnostic, RequestError } from "@acp/core";
import { describe, expect, test } from "vitest";
import { createRawPeer, type RawPeer } from "../../../core/test/support/raw-peer.ts";
import { type ChainProxyOptions, createChainProxy } from "./index.ts";
import { conduct, local } from "../../test/support/chain.ts";
import { isAnswer, isCall } from "../../test/support/raw.ts";

const info = { name: "test", version: "1.0.0" };
const initialize = { protocolVersion: 1, clientCapabilities: {} };

interface Conducted {
  /** Plays the conductor. */
  readonly peer: RawPeer;
  readonly diagnostics: readonly Diagnostic[];
}

/** A proxy whose conductor is played by hand. */
function serve<S>(options: ChainProxyOptions<S> = {}): Conducted {
  const diagnostics: Diagnostic[] = [];
  const onDiagnostic = (diagnostic: Diagnostic): void => void diagnostics.push(diagnostic);
  return {
    peer: createRawPeer((transport) => createChainProxy(options).connect(transport, { onDiagnostic })),
    diagnostics,
  };
}

/** The same, initialized. */
async function initialized<S>(options: ChainProxyOptions<S> = {}): Promise<Conducted> {
  const conducted = serve(options);
  const { peer } = conducted;
  const done = peer.call("proxy/initialize", initialize);
  const { id } = await peer.next(isCall("proxy/successor"));
  peer.send({ jsonrpc: "2.0", id, result: { protocolVersion: 1 } });
  expect(await done).toMatchObject({ result: { protocolVersion: 1 } });
  return conducted;
}

const inside = (method: string, params?: unknown): object => ({
  method: "proxy/successor",
  params: { method, params },
});
const isInside =
  (method: string) =>
  ({ method: outer, params }: Record<string, unknown>): boolean =>
    outer === "proxy/successor" && (params as { method?: unknown }).method === method;

describe("createChainProxy()", () => {
  test("passes on unknown methods, and its own initialize as initialize", async () => {
    const { peer, diagnostics } = serve();
    peer.send({ jsonrpc: "2.0", id: 1, method: "proxy/initialize", params: { ...initialize, odd: [null] } });
    const asked = await peer.next(isCall("proxy/successor"));
    expect(asked["params"]).toEqual({ method: "initialize", params: { ...initialize, odd: [null] } });
    // Right behind it, before it is answered.
    peer.send({ jsonrpc: "2.0", id: 2, method: "_acme/x", params: [1] });
    expect(await peer.next(isInside("_acme/x"))).toMatchObject({ params: { params: [1] } });
    peer.send({ jsonrpc: "2.0", ...inside("_acme/note") });
    expect(await peer.next(isCall("_acme/note"))).toEqual({ jsonrpc: "2.0", method: "_acme/note" });
    peer.send({ jsonrpc: "2.0", id: asked["id"], error: { code: -1, message: "No", data: 0 } });
    expect(await peer.next(isAnswer(1))).toEqual({
      jsonrpc: "2.0",
      id: 1,
      error: { code: -1, message: "No", data: 0 },
    });
    expect(diagnostics).toEqual([]);
  });

  test("lets a program change prompts, updates and the setup of a session, and answer by itself", async () => {
    const servers: unknown[] = [];
    const agent = createAgent({
      info,
      handlers: {
        "session/new": ({ mcpServers }) => {
          servers.push(mcpServers);
          return { sessionId: "s" };
        },
        "session/prompt": async ({ prompt }, { turn }) => {
          await turn.message(JSON.stringify(prompt));
          await turn.thought("secret");
          return { stopReason: "end_turn" };
        },
      },
    });
    const tools = { name: "tools", command: "/usr/bin/tools", args: [], env: [] };
    const proxy = createChainProxy({
      fromClient: ({ method, params }, forward) => {
        if (method === "_acme/version") return { version: 3 };
        if (method === "session/new") {
          const { mcpServers, ...rest } = params as { mcpServers: unknown[] };
          return forward({ method, params: { ...rest, mcpServers: [...mcpServers, tools] } });
        }
        if (method !== "session/prompt") return forward({ method, params });
        const { prompt, ...rest } = params as { prompt: unknown[] };
        return forward({ method, params: { ...rest, prompt: [{ type: "text", text: "Be brief." }, ...prompt] } });
      },
      fromSuccessor: (message, forward) => {
        const { update } = message.params as { update: { sessionUpdate: string } };
        // A notification that is not passed on goes no further.
        if (update.sessionUpdate === "agent_thought_chunk") return undefined;
        return forward({
          method: message.method,
          params: JSON.parse(JSON.stringify(message.params).replace("Hello", "Bye")),
        });
      },
    });
    const chain = conduct([local(proxy)], local(agent));
    const connected = await createClient({ info }).connect(chain.client);
    expect(await connected.request("_acme/version")).toEqual({ version: 3 });
    const session = await connected.newSession({ cwd: "/" });
    expect(servers).toEqual([[tools]]);
    const updates: unknown[] = [];
    for await (const update of session.prompt("Hello").updates) updates.push(update);
    expect(updates).toMatchObject([
      { content: { text: '[{"type":"text","text":"Be brief."},{"type":"text","text":"Bye"}]' } },
    ]);
    await connected.close();
    expect(chain.diagnostics).toEqual([]);
  });

  test("keeps a state for each conductor, from initialize on", async () => {
    const options: ChainProxyOptions<{ name: unknown; count: number }> = {
      state: () => ({ name: undefined, count: 0 }),
      fromClient: (message, forward, { state }) => {
        if (message.method === "initialize") state.name = (message.params as { name: unknown }).name;
        else return [state.name, ++state.count];
        return forward(message);
      },
    };
    const proxy = createChainProxy(options);
    for (const name of ["a", "b"]) {
      const peer = createRawPeer((transport) => proxy.connect(transport));
      peer.send({ jsonrpc: "2.0", id: 1, method: "proxy/initialize", params: { name } });
      await peer.next(isInside("initialize"));
      expect(await peer.call("_acme/x")).toMatchObject({ result: [name, 1] });
      expect(await peer.call("_acme/x")).toMatchObject({ result: [name, 2] });
    }
  });

  test("tells a client that starts it as an agent that it is a proxy", async () => {
    const { peer, diagnostics } = serve();
    const message =
      "This program is a proxy, which a conductor starts with proxy/initialize; it cannot be used as an agent";
    expect(await peer.call("initialize", initialize)).toMatchObject({ error: { code: -32600, message } });
    expect(await peer.call("session/new", {})).toMatchObject({
      error: { code: -32600, message: "A conductor begins with proxy/initialize, not with session/new" },
    });
    expect(await peer.call("proxy/successor", { method: "fs/read_text_file" })).toMatchObject({
      error: { code: -32600 },
    });
    peer.send({ jsonrpc: "2.0", method: "session/cancel", params: { sessionId: "s" } });
    await peer.settle();
    expect(peer.received.filter(({ method }) => method !== undefined)).toEqual([]);
    expect(diagnostics.map(({ type }) => type)).toEqual([...Array(3).fill("invalid-message"), "rule"]);
  });

  test("is initialized once, but again where that has failed", async () => {
    const { peer } = serve();
    for (const answer of [{ error: { code: -32000, message: "Not yet" } }, { result: {} }]) {
      const done = peer.call("proxy/initialize", initialize);
      const { id } = await peer.next(isInside("initialize"));
      peer.send({ jsonrpc: "2.0", id, ...answer });
      expect(await done).toMatchObject(answer);
    }
    expect(await peer.call("proxy/initialize", initialize)).toMatchObject({
      error: { code: -32600, message: "This proxy was initialized already" },
    });
    expect(await peer.call("initialize", initialize)).toMatchObject({ error: { code: -32600 } });
  });

  test("sends messages of its own to both sides", async () => {
    const told: unknown[] = [];
    const { peer } = await initialized({
      fromClient: async (message, forward, { client, successor }) => {
        if (message.method !== "_acme/go") return forward(message);
        await client.notify("_acme/note", { to: "client" });
        await successor.notify("_acme/note", { to: "successor" });
        told.push(await client.request("_acme/ask", { of: "client" }));
        return successor.request("_acme/ask", { of: "successor" }).catch((error: unknown) => {
          told.push(String(error), error instanceof RequestError && error.wire);
          throw new RequestError({ code: 1, message: "In vain" });
        });
      },
    });
    const done = peer.call("_acme/go");
    expect(await peer.next(isCall("_acme/note"))).toMatchObject({ params: { to: "client" } });
    expect(await peer.next(isInside("_acme/note"))).toMatchObject({ params: { params: { to: "successor" } } });
    const first = await peer.next(isCall("_acme/ask"));
    peer.send({ jsonrpc: "2.0", id: first["id"], result: { yes: 1 } });
    const second = await peer.next(isInside("_acme/ask"));
    peer.send({ jsonrpc: "2.0", id: second["id"], error: { code: 5, message: "No" } });
    expect(await done).toMatchObject({ error: { code: 1, message: "In vain" } });
    expect(told).toEqual([{ yes: 1 }, "RequestError: _acme/ask: No (5)", { code: 5, message: "No" }]);
  });

  test("takes a call of its own back when its signal aborts", async () => {
    const controller = new AbortController();
    const { peer, diagnostics } = await initialized({
      fromClient: async (message, forward, { client, successor }) => {
        if (message.method === "initialize") return forward(message);
        const { signal } = controller;
        const calls = [client, successor].map((side) => side.request("_acme/slow", {}, { signal }));
        calls.push(successor.request("_acme/never", {}, { signal: AbortSignal.abort(new Error("Before")) }));
        const outcomes = await Promise.allSettled(calls);
        return outcomes.map((outcome) => outcome.status === "rejected" && String(outcome.reason));
      },
    });
    const done = peer.call("_acme/go");
    const plain = await peer.next(isCall("_acme/slow"));
    const enveloped = await peer.next(isInside("_acme/slow"));
    controller.abort(new Error("Enough"));
    expect(await done).toMatchObject({ result: ["Error: Enough", "Error: Enough", "Error: Before"] });
    const cancellations = peer.received.filter(
      (message) => isCall("$/cancel_request")(message) || isInside("$/cancel_request")(message),
    );
    expect(cancellations.map(({ params }) => params)).toEqual([
      { requestId: plain["id"] },
      { method: "$/cancel_request", params: { requestId: enveloped["id"] } },
    ]);
    // Answers that come all the same are nobody's business any more.
    for (const { id } of [plain, enveloped]) peer.send({ jsonrpc: "2.0", id, error: { code: -32800, message: "x" } });
    await peer.settle();
    expect(diagnostics).toEqual([]);
  });

  test("tells an intercept that its request was cancelled, and answers -32800 if it stops", async () => {
    const { peer } = await initialized({
      fromClient: async (message, forward, { signal }) => {
        if (message.method === "_acme/slow") {
          await new Promise((resolve) => signal.addEventListener("abort", resolve));
          // Passing it on now is as good as giving up.
          return forward(message);
        }
        return forward(message);
      },
    });
    peer.send({ jsonrpc: "2.0", id: "s", method: "_acme/slow" });
    await peer.settle();
    peer.send({ jsonrpc: "2.0", method: "$/cancel_request", params: { requestId: "s" } });
    expect(await peer.next(isAnswer("s"))).toMatchObject({ error: { code: -32800 } });
    expect(peer.received.some(isInside("_acme/slow"))).toBe(false);
  });

  test("lets a cancellation in an envelope overtake messages that an intercept holds", async () => {
    const { peer } = await initialized({
      fromSuccessor: (message, forward) => (message.method === "_acme/hold" ? new Promise(() => {}) : forward(message)),
    });
    peer.send({ jsonrpc: "2.0", ...inside("_acme/hold") });
    peer.send({ jsonrpc: "2.0", id: "q", ...inside("_acme/ask") });
    const { id } = await peer.next(isCall("_acme/ask"));
    peer.send({ jsonrpc: "2.0", ...inside("$/cancel_request", { requestId: "q" }) });
    expect(await peer.next(isCall("$/cancel_request"))).toMatchObject({ params: { requestId: id } });
  });

  test("does not let session/cancel overtake a prompt that an intercept holds", async () => {
    let go: () => void = () => {};
    const { peer } = await initialized({
      fromClient: async (message, forward) => {
        if (message.method === "session/prompt") await new Promise<void>((resolve) => (go = resolve));
        return forward(message);
      },
    });
    const prompt = (id: number): void =>
      peer.send({ jsonrpc: "2.0", id, method: "session/prompt", params: { sessionId: "s", prompt: [] } });
    const isOf =
      (method: string, sessionId: string) =>
      (message: Record<string, unknown>): boolean =>
        isInside(method)(message) && JSON.stringify(message).includes(`"${sessionId}"`);
    prompt(1);
    await peer.settle();
    peer.send({ jsonrpc: "2.0", method: "session/cancel", params: { sessionId: "other" } });
    peer.send({ jsonrpc: "2.0", method: "session/cancel", params: { sessionId: "s", _meta: { why: 1 } } });
    // It does not wait: a turn that runs already is cancelled at once.
    await peer.next(isOf("session/cancel", "s"));
    go();
    await peer.next(isOf("session/prompt", "s"));
    expect(await peer.next(isOf("session/cancel", "s"))).toMatchObject({
      params: { params: { sessionId: "s", _meta: { why: 1 } } },
    });
    // The next prompt is not meant.
    prompt(2);
    await peer.settle();
    go();
    await peer.next(isOf("session/prompt", "s"));
    await peer.settle();
    expect(peer.received.filter(isOf("session/cancel", "s"))).toHaveLength(2);
    expect(peer.received.filter(isOf("session/cancel", "other"))).toHaveLength(1);
  });

  test("may pass a request on more than once, and a cancellation reaches all copies in flight", async () => {
    const { peer } = await initialized({
      fromClient: async (message, forward) => {
        if (message.method !== "_acme/twice") return forward(message);
        const params = { first: true };
        await Promise.allSettled([forward({ method: "_acme/a", params }), forward({ method: "_acme/b", params })]);
        return forward({ method: "_acme/c", params: message.params });
      },
    });
    const done = peer.call("_acme/twice", 3);
    const [a, b] = [await peer.next(isInside("_acme/a")), await peer.next(isInside("_acme/b"))];
    peer.send({ jsonrpc: "2.0", id: a["id"], result: 1 });
    peer.send({ jsonrpc: "2.0", id: b["id"], error: { code: 1, message: "x" } });
    const c = await peer.next(isInside("_acme/c"));
    const { id } = { id: 102 };
    peer.send({ jsonrpc: "2.0", method: "$/cancel_request", params: { requestId: id } });
    expect(await peer.next(isInside("$/cancel_request"))).toMatchObject({ params: { params: { requestId: c["id"] } } });
    peer.send({ jsonrpc: "2.0", id: c["id"], result: "all the same" });
    expect(await done).toMatchObject({ id, result: "all the same" });
  });

  test("answers -32603 for an intercept that fails, and reports it", async () => {
    const { peer, diagnostics } = await initialized({
      fromClient: (message, forward) => {
        if (message.method === "initialize") return forward(message);
        throw new Error("secret");
      },
      fromSuccessor: () => Promise.reject(new Error("secret")),
    });
    expect(await peer.call("_acme/x")).toMatchObject({ error: { code: -32603, message: "Internal error" } });
    peer.send({ jsonrpc: "2.0", ...inside("session/update", {}) });
    await peer.settle();
    expect(diagnostics).toMatchObject([
      { type: "handler-failed", method: "_acme/x" },
      { type: "handler-failed", method: "proxy/successor" },
    ]);
    expect(JSON.stringify(peer.received)).not.toContain("secret");
  });
});
