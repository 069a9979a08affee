// What an agent makes of `initialize`, and what it advertises.
import { describe, expect, test } from "vitest";
import { createRawPeer, type RawPeer } from "../support/raw-peer.ts";
import { createAgent } from "../../src/v2/agent.ts";
import { info } from "../support/v2-wire.ts";

const prompt = () => ({ stopReason: "end_turn" }) as const;
const agentInfo = { name: "agent", version: "2.0.0" };

function connect(options: object = {}, handlers: object = {}): RawPeer {
  const agent = createAgent({ info: agentInfo, ...options, handlers: { "session/prompt": prompt, ...handlers } });
  return createRawPeer((transport) => agent.connect(transport));
}

describe("initialize", () => {
  test("is answered with version 2, the agent's name and capabilities", async () => {
    const peer = connect(
      { capabilities: { session: { prompt: { image: {} } } }, _meta: { a: 1 } },
      { "session/delete": () => {} },
    );
    expect((await peer.call("initialize", { protocolVersion: 2, info }))["result"]).toEqual({
      protocolVersion: 2,
      info: agentInfo,
      capabilities: { session: { prompt: { image: {} }, delete: {} } },
      _meta: { a: 1 },
    });
  });

  test("for an older version is refused with the supported versions, even if it lacks members of this one", async () => {
    const peer = connect();
    expect(await peer.call("initialize", { protocolVersion: 1, clientCapabilities: {} })).toMatchObject({
      error: { code: -32022, data: { requested: 1, supported: [2] } },
    });
    expect(await peer.call("initialize", { protocolVersion: 2 })).toMatchObject({ error: { code: -32602 } });
  });

  test("for a newer version is answered, even if parts of it are unreadable", async () => {
    const names: unknown[] = [];
    const peer = connect({ connected: (client: { info: unknown }) => void names.push(client.info) });
    expect(await peer.call("initialize", { protocolVersion: 3, info: "?" })).toMatchObject({
      result: { protocolVersion: 2 },
    });
    expect(names).toEqual([{ name: "unknown", version: "unknown" }]);
  });

  test("may be repeated until something else is asked, and comes before that", async () => {
    const peer = connect();
    expect(await peer.call("session/new", { cwd: "/" })).toMatchObject({ error: { code: -32600 } });
    const hello = { protocolVersion: 2, info };
    expect(await peer.call("initialize", hello)).toMatchObject({ result: { protocolVersion: 2 } });
    expect(await peer.call("initialize", hello)).toMatchObject({ result: { protocolVersion: 2 } });
    await peer.call("session/list", {});
    expect(await peer.call("initialize", hello)).toMatchObject({ error: { code: -32600 } });
  });

  test("that is not answered yet lets nothing else through", async () => {
    let finish = (): void => {};
    const peer = connect({ connected: () => new Promise<void>((resolve) => (finish = resolve)) });
    const first = peer.call("initialize", { protocolVersion: 2, info });
    expect(await peer.call("session/new", { cwd: "/" })).toMatchObject({ error: { code: -32600 } });
    finish();
    await first;
    expect(await peer.call("session/new", { cwd: "/" })).toMatchObject({ result: {} });
  });
});

test("a request whose id is null is refused", async () => {
  const peer = connect();
  await peer.call("initialize", { protocolVersion: 2, info });
  peer.send({ jsonrpc: "2.0", id: null, method: "session/list", params: {} });
  await peer.settle();
  expect(peer.received.at(-1)).toMatchObject({ id: null, error: { code: -32600 } });
});

describe("logins", () => {
  const authMethods = [{ type: "agent", methodId: "key", name: "Key" }];

  test("need handlers for both methods, and only those that were offered can be used", async () => {
    expect(() => connect({ authMethods })).toThrow("there is no handler for auth/login and auth/logout");
    const used: unknown[] = [];
    const peer = connect(
      { authMethods },
      { "auth/login": ({ methodId }: { methodId: string }) => void used.push(methodId), "auth/logout": () => {} },
    );
    expect(await peer.call("initialize", { protocolVersion: 2, info })).toMatchObject({ result: { authMethods } });
    expect(await peer.call("auth/login", { methodId: "other" })).toMatchObject({ error: { code: -32602 } });
    expect(await peer.call("auth/login", { methodId: "key" })).toMatchObject({ result: {} });
    expect(used).toEqual(["key"]);
  });
});

test("createAgent() rejects contradictory options", () => {
  expect(() => createAgent({ info, handlers: {} } as never)).toThrow("An agent needs a handler for session/prompt");
  expect(() => connect({}, { "session/load": () => {} })).toThrow(
    "An agent handles no method 'session/load' (for unstable methods import @acp/core/v2/unstable; for extension methods use extend)",
  );
  expect(() => connect({ capabilities: { session: { delete: {} } } })).toThrow(
    "The capability session.delete is declared, but there is no handler for session/delete",
  );
});
