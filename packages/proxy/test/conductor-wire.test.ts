// The messages of a conductor: client, proxies and agent are played by hand, line by line.
import type { Diagnostic } from "@acp/core";
import { describe, expect, test } from "vitest";
import type { RawPeer } from "../../core/test/support/raw-peer.ts";
import { conduct } from "./support/chain.ts";
import { isAnswer, isCall, rawComponent, rawEnd } from "./support/raw.ts";

const initialize = { protocolVersion: 1, clientInfo: { name: "c", version: "1" }, _meta: { "acme.dev/x": [1] } };

interface Chain {
  readonly client: RawPeer;
  readonly proxies: readonly RawPeer[];
  readonly agent: RawPeer;
  readonly diagnostics: readonly Diagnostic[];
}

/** Sends a request and returns it as it arrived at the other side. */
async function carry(from: RawPeer, to: RawPeer, message: object, method: string): Promise<Record<string, unknown>> {
  from.send({ jsonrpc: "2.0", ...message });
  return to.next(isCall(method));
}

const wrapped = (method: string, params?: unknown): object => ({
  method: "proxy/successor",
  params: { method, ...(params === undefined ? {} : { params }) },
});

/** A chain that is initialized. */
async function chainOf(count: number): Promise<Chain> {
  const parts = Array.from({ length: count }, (_, index) => rawComponent(`p${index + 1}`));
  const last = rawComponent("a");
  const { client: transport, diagnostics } = conduct(parts, last);
  const client = rawEnd(transport);
  const proxies = parts.map(({ peer }) => peer);
  const agent = last.peer;
  client.send({ jsonrpc: "2.0", id: "init", method: "initialize", params: initialize });
  const asked: unknown[] = [];
  for (const proxy of proxies) {
    const { id, ...request } = await proxy.next(() => true);
    expect(request).toEqual({ jsonrpc: "2.0", method: "proxy/initialize", params: initialize });
    asked.push(id);
    proxy.send({ jsonrpc: "2.0", id: "on", ...wrapped("initialize", initialize) });
  }
  const { id, ...request } = await agent.next(() => true);
  expect(request).toEqual({ jsonrpc: "2.0", method: "initialize", params: initialize });
  const result = { protocolVersion: 1, agentInfo: { name: "a", version: "1" }, odd: null };
  agent.send({ jsonrpc: "2.0", id, result });
  for (const [index, proxy] of [...proxies.entries()].toReversed()) {
    expect(await proxy.next(isAnswer("on"))).toEqual({ jsonrpc: "2.0", id: "on", result });
    proxy.send({ jsonrpc: "2.0", id: asked[index], result });
  }
  expect(await client.next(isAnswer("init"))).toEqual({ jsonrpc: "2.0", id: "init", result });
  return { client, proxies, agent, diagnostics };
}

describe("a conductor", () => {
  test.each([0, 1, 2])(
    "initializes %d proxies, each when the one before it asks for it, and the agent",
    async (count) => {
      await chainOf(count);
    },
  );

  test("unwraps a proxy's message from its envelope, and wraps its successor's messages", async () => {
    const { client, proxies, agent, diagnostics } = await chainOf(2);
    const [first, second] = proxies as [RawPeer, RawPeer];
    const params = { sessionId: "s", list: [1, null, { "": {} }], _meta: { a: 1 } };
    const error = { code: 7, message: "No", data: [null] };
    // Towards the agent.
    const one = await carry(client, first, { id: "c", method: "_acme/x", params }, "_acme/x");
    expect(one["params"]).toEqual(params);
    const two = await carry(first, second, { id: "f", ...wrapped("_acme/y", params) }, "_acme/y");
    expect(two["params"]).toEqual(params);
    const three = await carry(second, agent, { id: "s", ...wrapped("_acme/z") }, "_acme/z");
    expect("params" in three).toBe(false);
    agent.send({ jsonrpc: "2.0", id: three["id"], error });
    expect(await second.next(isAnswer("s"))).toMatchObject({ error });
    second.send({ jsonrpc: "2.0", id: two["id"], result: [1] });
    expect(await first.next(isAnswer("f"))).toMatchObject({ result: [1] });
    first.send({ jsonrpc: "2.0", id: one["id"], result: null });
    expect(await client.next(isAnswer("c"))).toMatchObject({ result: null });
    // And back.
    const back = await carry(agent, second, { id: 1, method: "_acme/x", params }, "proxy/successor");
    expect(back["params"]).toEqual({ method: "_acme/x", params });
    const further = await carry(second, first, { id: 2, method: "_acme/y", params }, "proxy/successor");
    expect(further["params"]).toEqual({ method: "_acme/y", params });
    const out = await carry(first, client, { id: 3, method: "_acme/z", params }, "_acme/z");
    expect(out["params"]).toEqual(params);
    client.send({ jsonrpc: "2.0", id: out["id"], result: { ok: true } });
    expect(await first.next(isAnswer(3))).toMatchObject({ result: { ok: true } });
    // Notifications.
    const note = await carry(agent, second, { method: "session/update", params }, "proxy/successor");
    expect(note).toEqual({ jsonrpc: "2.0", ...wrapped("session/update", params) });
    const down = await carry(first, second, wrapped("_acme/note", params), "_acme/note");
    expect(down).toEqual({ jsonrpc: "2.0", method: "_acme/note", params });
    expect(diagnostics).toEqual([]);
  });

  test("keeps extra members next to params, results and errors, in an envelope or not", async () => {
    const { client, proxies, agent } = await chainOf(1);
    const [proxy] = proxies as [RawPeer];
    const beside = { later: [1, { a: null }] };
    const one = await carry(client, proxy, { id: 1, method: "_acme/x", params: {}, ...beside }, "_acme/x");
    const two = await carry(proxy, agent, { id: 1, ...wrapped("_acme/x"), ...beside }, "_acme/x");
    expect([one, two]).toEqual([expect.objectContaining(beside), expect.objectContaining(beside)]);
    agent.send({ jsonrpc: "2.0", id: two["id"], error: { code: 1, message: "No" }, ...beside });
    expect(await proxy.next(isAnswer(1))).toMatchObject({ error: { code: 1 }, ...beside });
    proxy.send({ jsonrpc: "2.0", id: one["id"], result: {}, ...beside });
    expect(await client.next(isAnswer(1))).toMatchObject({ result: {}, ...beside });
    const note = await carry(agent, proxy, { method: "_acme/y", ...beside }, "proxy/successor");
    expect(note).toEqual({ jsonrpc: "2.0", ...wrapped("_acme/y"), ...beside });
    expect(await carry(proxy, client, { method: "_acme/y", ...beside }, "_acme/y")).toMatchObject(beside);
  });

  test("passes a cancellation on with the id that the other side knows, in an envelope where its request was", async () => {
    const { client, proxies, agent } = await chainOf(1);
    const [proxy] = proxies as [RawPeer];
    const id = 1234567890123;
    const one = await carry(client, proxy, { id, method: "_acme/slow" }, "_acme/slow");
    const two = await carry(proxy, agent, { id: "p", ...wrapped("_acme/slow") }, "_acme/slow");
    const cancel = (requestId: unknown): object => ({
      method: "$/cancel_request",
      params: { requestId, _meta: { why: 1 } },
    });
    // An id that is not under way is nobody's.
    client.send({ jsonrpc: "2.0", ...cancel(one["id"]) });
    const first = await carry(client, proxy, cancel(id), "$/cancel_request");
    expect(first["params"]).toEqual({ requestId: one["id"], _meta: { why: 1 } });
    const second = await carry(proxy, agent, wrapped("$/cancel_request", { requestId: "p" }), "$/cancel_request");
    expect(second["params"]).toEqual({ requestId: two["id"] });
    // By its plain name it is the same.
    const third = await carry(proxy, agent, cancel("p"), "$/cancel_request");
    expect(third["params"]).toEqual({ requestId: two["id"], _meta: { why: 1 } });
    // What is answered in spite of it arrives.
    agent.send({ jsonrpc: "2.0", id: two["id"], result: { late: true } });
    expect(await proxy.next(isAnswer("p"))).toMatchObject({ result: { late: true } });
    // And back.
    const asked = await carry(agent, proxy, { id: "q", method: "_acme/ask" }, "proxy/successor");
    const taken = await carry(agent, proxy, cancel("q"), "proxy/successor");
    expect(taken["params"]).toEqual({
      method: "$/cancel_request",
      params: { requestId: asked["id"], _meta: { why: 1 } },
    });
    expect(agent.received.filter(isCall("$/cancel_request"))).toHaveLength(2);
    expect(proxy.received.filter(isCall("$/cancel_request"))).toHaveLength(1);
  });

  test("tells ids apart that are the same number once they are rounded", async () => {
    const { client, proxies, agent } = await chainOf(1);
    const [proxy] = proxies as [RawPeer];
    const ids = ["9007199254740992", "9007199254740993"];
    for (const id of ids) {
      client.send(`{"jsonrpc":"2.0","id":${id},"method":"_acme/x"}`);
      proxy.send(`{"jsonrpc":"2.0","id":${id},"method":"proxy/successor","params":{"method":"_acme/x"}}`);
    }
    const arrivedAt = async (peer: RawPeer): Promise<unknown[]> => [
      (await peer.next(isCall("_acme/x")))["id"],
      (await peer.next(isCall("_acme/x")))["id"],
    ];
    const [[, plain], [, enveloped]] = [await arrivedAt(proxy), await arrivedAt(agent)];
    const cancel = `"method":"$/cancel_request","params":{"requestId":${ids[1]}}`;
    client.send(`{"jsonrpc":"2.0",${cancel}}`);
    proxy.send(`{"jsonrpc":"2.0","method":"proxy/successor","params":{${cancel}}}`);
    for (const [peer, requestId] of [[proxy, plain] as const, [agent, enveloped] as const]) {
      expect(await peer.next(isCall("$/cancel_request"))).toMatchObject({ params: { requestId } });
      await peer.settle();
      expect(peer.received.filter(isCall("$/cancel_request"))).toHaveLength(1);
    }
  });

  test("survives a cancellation whose id is invalid, nested deeper than can be written", async () => {
    const { client, proxies, agent } = await chainOf(1);
    const [proxy] = proxies as [RawPeer];
    const cancel = `"method":"$/cancel_request","params":{"requestId":${"[".repeat(100_000)}${"]".repeat(100_000)}}`;
    for (const peer of [client, proxy, agent]) peer.send(`{"jsonrpc":"2.0",${cancel}}`);
    proxy.send(`{"jsonrpc":"2.0","method":"proxy/successor","params":{${cancel}}}`);
    await carry(client, proxy, { id: 1, method: "_acme/x" }, "_acme/x");
    await carry(proxy, agent, { id: 1, ...wrapped("_acme/x") }, "_acme/x");
    expect([...proxy.received, ...agent.received].filter(isCall("$/cancel_request"))).toEqual([]);
  });

  test("a question that belongs to a request names it by the id that each component knows", async () => {
    const { client, proxies, agent } = await chainOf(1);
    const [proxy] = proxies as [RawPeer];
    const one = await carry(
      client,
      proxy,
      { id: 77, method: "authenticate", params: { methodId: "m" } },
      "authenticate",
    );
    const two = await carry(proxy, agent, { id: "p", ...wrapped("authenticate", { methodId: "m" }) }, "authenticate");
    const question = (requestId: unknown): object => ({ mode: "_x", requestId, message: "m" });
    const inside = await carry(
      agent,
      proxy,
      { id: 1, method: "elicitation/create", params: question(two["id"]) },
      "proxy/successor",
    );
    expect(inside["params"]).toEqual({ method: "elicitation/create", params: question("p") });
    const asked = { id: 2, method: "elicitation/create", params: question(one["id"]) };
    expect(await carry(proxy, client, asked, "elicitation/create")).toMatchObject({ params: question(77) });
  });

  test("answers -32601 to a chain's methods from peers that must not send them", async () => {
    const { client, proxies, agent, diagnostics } = await chainOf(1);
    const [proxy] = proxies as [RawPeer];
    const before = [agent, proxy].map(({ received }) => received.length);
    const inside = { method: "session/new", params: {} };
    for (const peer of [client, agent]) {
      expect(await peer.call("proxy/successor", inside)).toMatchObject({ error: { code: -32601 } });
      expect(await peer.call("proxy/initialize", initialize)).toMatchObject({ error: { code: -32601 } });
      peer.send({ jsonrpc: "2.0", method: "proxy/successor", params: inside });
    }
    expect(await proxy.call("proxy/initialize", initialize)).toMatchObject({ error: { code: -32601 } });
    for (const method of ["proxy/initialize", "proxy/successor"]) {
      expect(await proxy.call("proxy/successor", { method, params: inside })).toMatchObject({
        error: { code: -32601 },
      });
      proxy.send({ jsonrpc: "2.0", ...wrapped(method, inside) });
    }
    expect(await proxy.call("proxy/successor", { params: {} })).toMatchObject({
      error: { code: -32602, data: { path: "/method" } },
    });
    await proxy.settle();
    // Nothing has come of it but the answers.
    expect([agent, proxy].map(({ received }) => received.length)).toEqual([before[0]! + 2, before[1]! + 4]);
    // Each has its diagnostic: of client and agent three, of the proxy one, and two for each method in an envelope.
    const count = (wanted: string): number => diagnostics.filter(({ type }) => type === wanted).length;
    expect(["invalid-message", "unknown-notification", "unknown-request"].map(count)).toEqual([1, 4, 7]);
    expect(diagnostics).toHaveLength(12);
  });
});
