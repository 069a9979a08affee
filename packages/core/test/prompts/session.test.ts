import { describe, expect, it } from "vitest";
import { createClient } from "../../src/v1/client.ts";
import type { ClientSession } from "../../src/v1/client-session.ts";
import type { ConnectedAgent } from "../../src/v1/connected-agent.ts";
import { answer, chunk, collect, connect, delay, info, openSession } from "../support/connected-client.ts";
import { createRawPeer } from "../support/raw-peer.ts";

describe("client.connect()", () => {
  it("sends version, info and the capabilities its handlers show (INIT-02, INIT-03/client, INIT-04, INIT-14)", async () => {
    const { peer } = await connect({ "fs/read_text_file": () => ({ content: "" }) });
    expect(peer.received[0]).toMatchObject({
      method: "initialize",
      params: { protocolVersion: 1, clientInfo: info, clientCapabilities: { fs: { readTextFile: true } } },
    });
  });

  it("throws at construction when three of five terminal handlers are given (TERM-03)", () => {
    const handlers = {
      "terminal/create": () => ({ terminalId: "t" }),
      "terminal/output": () => ({ output: "", truncated: false }),
    };
    expect(() => createClient({ info, handlers })).toThrow(/terminal needs a handler for .*terminal\/release/);
  });

  it("closes the connection when the agent speaks another version (INIT-10)", async () => {
    const client = createClient({ info });
    let connecting: Promise<unknown> = Promise.resolve();
    const peer = createRawPeer((transport) => {
      connecting = client.connect(transport);
      connecting.catch(() => {});
    });
    await answer(peer, "initialize", { protocolVersion: 999 });
    await expect(connecting).rejects.toMatchObject({ code: "protocol_violation", path: ["result", "protocolVersion"] });
    await peer.settle();
    expect(peer.closed).toBe(true);
  });

  it("fails when the agent does not answer initialize in time", async () => {
    const client = createClient({ info });
    let connecting: Promise<unknown> = Promise.resolve();
    const peer = createRawPeer((transport) => {
      connecting = client.connect(transport, { startTimeout: 20 });
      connecting.catch(() => {});
    });
    await expect(connecting).rejects.toMatchObject({ code: "timeout", phase: "initialize", milliseconds: 20 });
    await peer.settle();
    expect(peer.closed).toBe(true);
  });
});

describe("a call the agent did not advertise", () => {
  it.each([
    ["session/load (SESS-04)", (agent: ConnectedAgent) => agent.loadSession({ sessionId: "s", cwd: "/" })],
    ["session/resume (SESS-10)", (agent: ConnectedAgent) => agent.resumeSession({ sessionId: "s", cwd: "/" })],
    ["session/list (LIST-01)", (agent: ConnectedAgent) => agent.request("session/list", {})],
    ["session/delete (LIST-14)", (agent: ConnectedAgent) => agent.request("session/delete", { sessionId: "s" })],
    ["session/close (SESS-14)", (agent: ConnectedAgent) => agent.request("session/close", { sessionId: "s" })],
    ["logout (AUTH-17)", (agent: ConnectedAgent) => agent.request("logout", {})],
    ["authenticate (AUTH-05/client)", (agent: ConnectedAgent) => agent.authenticate("none")],
    [
      "an http MCP server (MCP-04)",
      (agent: ConnectedAgent) =>
        agent.newSession({ cwd: "/", mcpServers: [{ type: "http", name: "x", url: "http://x", headers: [] }] }),
    ],
    [
      "additional directories (SESS-22)",
      (agent: ConnectedAgent) => agent.newSession({ cwd: "/", additionalDirectories: ["/x"] }),
    ],
  ])("is refused before a byte is sent: %s", async (_name, call) => {
    const { agent, peer } = await connect();
    await expect(call(agent)).rejects.toMatchObject({ code: "missing_capability" });
    await peer.settle();
    expect(peer.received).toHaveLength(1);
  });

  it("is refused in a session without modes (MODE-02/client) or for an image (PROM-03)", async () => {
    const connected = await connect();
    const session = await openSession(connected);
    await expect(session.setMode("x")).rejects.toMatchObject({ code: "missing_capability" });
    const image = { type: "image" as const, data: "", mimeType: "image/png" };
    await expect(session.prompt([image]).response).rejects.toMatchObject({ code: "missing_capability" });
  });

  it("never passes a terminal login to authenticate (AUTH-06)", async () => {
    const authMethods = [
      { id: "t", name: "T", type: "terminal" },
      { id: "a", name: "A" },
    ];
    const { agent, peer } = await connect({}, {}, { authMethods });
    await expect(agent.authenticate("t")).rejects.toMatchObject({
      code: "missing_capability",
      message: 'authenticate: "t" takes a terminal; those it takes: "a"',
    });
    const login = agent.authenticate("a");
    await answer(peer, "authenticate", {});
    await login;
  });

  it("names the login method that was not offered, and those that were (AUTH-05/client)", async () => {
    const [a, b] = [
      { id: "a", name: "A" },
      { id: "b", name: "B" },
    ];
    const { agent } = await connect({}, {}, { authMethods: [a, b] });
    await expect(agent.authenticate("bogus")).rejects.toMatchObject({
      code: "missing_capability",
      message: 'authenticate: "bogus" is no login method that the agent advertised; those it takes: "a", "b"',
    });
    await expect(agent.request("authenticate", {} as never)).rejects.toThrow("undefined is no login method");
    const { agent: other } = await connect();
    await expect(other.authenticate("a")).rejects.toThrow("those it takes: none");
  });

  it("is refused with a relative path (CONV-02/client, SESS-18)", async () => {
    const { agent } = await connect();
    await expect(agent.newSession({ cwd: "work" })).rejects.toMatchObject({ code: "usage" });
  });
});

describe("a turn", () => {
  it("yields its updates and then the answer, which waits for slow handlers", async () => {
    let handled = 0;
    const connected = await connect({
      "session/update": async () => {
        await delay(3);
        handled++;
      },
    });
    const session = await openSession(connected);
    const turn = session.prompt("Hello");
    const texts = collect(turn.updates);
    const { id, params } = await connected.peer.next(({ method }) => method === "session/prompt");
    expect(params).toEqual({ sessionId: "s1", prompt: [{ type: "text", text: "Hello" }] });
    for (let i = 0; i < 20; i++) connected.peer.send(chunk(String(i)));
    connected.peer.send({ jsonrpc: "2.0", id, result: { stopReason: "end_turn" } });
    expect(await turn.response).toEqual({ stopReason: "end_turn" });
    expect(handled).toBe(20);
    expect(await texts).toEqual(Array.from({ length: 20 }, (_, i) => String(i)));
  });

  it("does not deadlock when an update handler prompts and waits", async () => {
    const connected = await connect({
      "session/update": async (_params: never, { session }: { session: ClientSession }) => {
        if (nested) return;
        nested = true;
        await session.prompt("nested").response;
      },
    });
    let nested = false;
    const session = await openSession(connected);
    const turn = session.prompt("outer");
    const outer = await connected.peer.next(({ method }) => method === "session/prompt");
    connected.peer.send(chunk("go"));
    const inner = await connected.peer.next(({ method }) => method === "session/prompt");
    connected.peer.send(chunk("behind"));
    connected.peer.send({ jsonrpc: "2.0", id: inner["id"], result: { stopReason: "refusal" } });
    connected.peer.send({ jsonrpc: "2.0", id: outer["id"], result: { stopReason: "end_turn" } });
    expect(await turn.response).toEqual({ stopReason: "end_turn" });
  });

  it("asks for permission after the tool call was handled", async () => {
    const order: string[] = [];
    const connected = await connect({
      "session/update": async () => {
        await delay(5);
        order.push("tool call");
      },
      "session/request_permission": () => {
        order.push("permission");
        return { outcome: { outcome: "selected", optionId: "a" } };
      },
    });
    await openSession(connected);
    connected.peer.send(chunk("x"));
    const answered = await connected.peer.call("session/request_permission", {
      sessionId: "s1",
      toolCall: { toolCallId: "t" },
      options: [{ optionId: "a", name: "A", kind: "allow_once" }],
    });
    expect(answered).toMatchObject({ result: { outcome: { outcome: "selected", optionId: "a" } } });
    expect(order).toEqual(["tool call", "permission"]);
  });

  it("is cancelled by its signal: permission requests are answered, the agent's answer resolves it (CANC-01, CANC-03, PERM-07)", async () => {
    let aborted = false;
    const connected = await connect({
      "session/request_permission": (_params: never, { signal }: { signal: AbortSignal }) =>
        new Promise((resolve) => {
          signal.addEventListener("abort", () => {
            aborted = true;
            resolve({ outcome: { outcome: "selected", optionId: "a" } });
          });
        }),
    });
    const { peer } = connected;
    const session = await openSession(connected);
    const controller = new AbortController();
    const turn = session.prompt("Hello", { signal: controller.signal });
    const { id } = await peer.next(({ method }) => method === "session/prompt");
    const options = [{ optionId: "a", name: "A", kind: "allow_once" }];
    const asking = peer.call("session/request_permission", { sessionId: "s1", toolCall: { toolCallId: "t" }, options });
    await peer.settle();
    controller.abort();
    expect(await asking).toMatchObject({ result: { outcome: { outcome: "cancelled" } } });
    expect(aborted).toBe(true);
    expect(peer.received.some(({ method }) => method === "session/cancel")).toBe(true);
    const late = { sessionId: "s1", toolCall: { toolCallId: "u" }, options };
    expect(await peer.call("session/request_permission", late)).toMatchObject({
      result: { outcome: { outcome: "cancelled" } },
    });
    peer.send(chunk("still here"));
    peer.send({ jsonrpc: "2.0", id, result: { stopReason: "cancelled" } });
    expect(await turn.response).toEqual({ stopReason: "cancelled" });
  });

  it.each(["at once", "later"])(
    "answers a permission request cancelled whose handler cancels the turn itself and answers %s (PERM-07)",
    async (when) => {
      const cancelling = new AbortController();
      const selected = { outcome: { outcome: "selected", optionId: "a" } };
      const connected = await connect({
        "session/request_permission": () => {
          cancelling.abort();
          return when === "at once" ? selected : new Promise(() => {});
        },
      });
      const session = await openSession(connected);
      session.prompt("Hello", { signal: cancelling.signal });
      await connected.peer.next(({ method }) => method === "session/prompt");
      const params = {
        sessionId: "s1",
        toolCall: { toolCallId: "t" },
        options: [{ optionId: "a", name: "A", kind: "allow_once" }],
      };
      expect(await connected.peer.call("session/request_permission", params)).toMatchObject({
        result: { outcome: { outcome: "cancelled" } },
      });
    },
  );

  it("tells a handler that asks the user something else that its turn is cancelled, and lets it answer", async () => {
    const client = createClient({
      info,
      capabilities: { elicitation: { form: {} } },
      handlers: {
        "elicitation/create": (_params, { signal }) =>
          new Promise((resolve) => {
            signal.addEventListener("abort", () => resolve({ action: "cancel" }));
          }),
      },
    });
    let connecting: Promise<ConnectedAgent> | undefined;
    const peer = createRawPeer((transport) => {
      connecting = client.connect(transport);
    });
    await answer(peer, "initialize", { protocolVersion: 1 });
    const agent = await connecting;
    if (agent === undefined) throw new Error("not connected");
    const session = await openSession({ peer, agent, diagnostics: [] });
    const turn = session.prompt("Hello");
    await peer.next(({ method }) => method === "session/prompt");
    const requestedSchema = { type: "object", properties: {} };
    const params = { sessionId: "s1", mode: "form", message: "Who?", requestedSchema };
    const asking = peer.call("elicitation/create", params);
    await peer.settle();
    turn.cancel();
    expect(await asking).toMatchObject({ result: { action: "cancel" } });
  });

  it("rejects after the grace when the agent does not answer a cancel", async () => {
    const connected = await connect();
    const session = await openSession(connected);
    const turn = session.prompt("Hello", { cancelGrace: 10 });
    await connected.peer.next(({ method }) => method === "session/prompt");
    turn.cancel();
    await expect(turn.response).rejects.toMatchObject({ code: "timeout", phase: "cancel", milliseconds: 10 });
  });

  it("sends nothing for a signal that has aborted already", async () => {
    const connected = await connect();
    const session = await openSession(connected);
    const turn = session.prompt("Hello", { signal: AbortSignal.abort(new Error("no")) });
    await expect(turn.response).rejects.toThrow("no");
    await connected.peer.settle();
    expect(connected.peer.received.map(({ method }) => method)).toEqual(["initialize", "session/new"]);
  });

  it("rejects when the agent goes away, and so does its iteration", async () => {
    const connected = await connect();
    const session = await openSession(connected);
    const turn = session.prompt("Hello");
    const texts = collect(turn.updates);
    texts.catch(() => {});
    await connected.peer.next(({ method }) => method === "session/prompt");
    await connected.peer.close();
    await expect(turn.response).rejects.toMatchObject({ code: "connection_closed" });
    await expect(texts).rejects.toMatchObject({ code: "connection_closed" });
  });

  it("rejects a permission request by itself where nobody can be asked (INIT-18)", async () => {
    const connected = await connect();
    await openSession(connected);
    const options = [
      { optionId: "y", name: "Yes", kind: "allow_once" },
      { optionId: "n", name: "No", kind: "reject_once" },
    ];
    const params = { sessionId: "s1", toolCall: { toolCallId: "t" }, options };
    expect(await connected.peer.call("session/request_permission", params)).toMatchObject({
      result: { outcome: { outcome: "selected", optionId: "n" } },
    });
    expect(connected.diagnostics).toMatchObject([{ type: "rule", rule: "INIT-18" }]);
  });
});
