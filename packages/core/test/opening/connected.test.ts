import { describe, expect, it } from "vitest";
import { createAgent, type Diagnostic, RequestError } from "../../src/v1/index.ts";
import { createRawPeer, type RawPeer } from "../support/raw-peer.ts";

type Options = Parameters<typeof createAgent>[0];
type Connected = NonNullable<Options["connected"]>;
type Client = Parameters<Connected>[0];

const initialize = {
  protocolVersion: 1,
  clientInfo: { name: "editor", version: "2" },
  clientCapabilities: { terminal: true },
  _meta: { trace: 1 },
};

function connect(
  connected: Connected,
  more: Partial<Omit<Options, "handlers">> = {},
): { peer: RawPeer; diagnostics: Diagnostic[] } {
  const diagnostics: Diagnostic[] = [];
  const agent = createAgent({
    info: { name: "test", version: "1" },
    handlers: { "session/prompt": () => ({ stopReason: "end_turn" }), authenticate: () => {} },
    onDiagnostic: (diagnostic) => diagnostics.push(diagnostic),
    ...more,
    connected,
  });
  return { peer: createRawPeer((transport) => agent.connect(transport)), diagnostics };
}

describe("createAgent({ connected })", () => {
  it("knows the client, and later messages wait for it", async () => {
    const log: unknown[] = [];
    let go = (): void => {};
    const { peer } = connect(
      async ({ info, capabilities, meta }, signal) => {
        log.push(info, capabilities, meta, signal.aborted);
        await new Promise<void>((resolve) => {
          go = resolve;
        });
        log.push("done");
      },
      { session: () => void log.push("session") },
    );
    const answered = peer.call("initialize", initialize);
    const opened = peer.call("session/new", { cwd: "/", mcpServers: [] });
    await peer.settle();
    expect(peer.received).toEqual([]);
    go();
    expect(await answered).toHaveProperty("result.protocolVersion", 1);
    expect(await opened).toHaveProperty("result.sessionId");
    const { clientInfo, clientCapabilities, _meta } = initialize;
    expect(log).toEqual([clientInfo, expect.objectContaining(clientCapabilities), _meta, false, "done", "session"]);
    await peer.call("initialize", initialize);
    expect(log).toHaveLength(6);
  });

  it("answers with the error it throws, and runs again when the client calls again", async () => {
    const failures = [
      new RequestError({ code: -32050, message: "No quota" }),
      RequestError.authRequired(),
      new Error("x"),
    ];
    const { peer, diagnostics } = connect(
      () => {
        const failure = failures.shift();
        if (failure !== undefined) throw failure;
      },
      { authMethods: [{ id: "a", name: "A" }] },
    );
    expect(await peer.call("initialize", initialize)).toMatchObject({ error: { code: -32050, message: "No quota" } });
    expect(await peer.call("initialize", initialize)).toMatchObject({
      error: { code: -32000, data: { authMethods: [{ id: "a" }] } },
    });
    expect(await peer.call("initialize", initialize)).toMatchObject({ error: { code: -32603 } });
    expect(diagnostics).toMatchObject([{ type: "handler-failed", method: "initialize" }]);
    expect(await peer.call("session/new", { cwd: "/", mcpServers: [] })).toMatchObject({ error: { code: -32600 } });
    expect(await peer.call("initialize", initialize)).toHaveProperty("result");
  });

  it("may notify, which waits for the answer of initialize, but not ask", async () => {
    let kept: Client | undefined;
    const { peer } = connect(async (client) => {
      kept = client;
      await client.notify("_acme/status", { ready: true });
      await expect(client.request("_acme/ask", {})).rejects.toMatchObject({
        code: "usage",
        message: "_acme/ask: initialize is not answered yet",
      });
      void client.notify("_acme/status", { ready: 2 });
    });
    peer.send({ jsonrpc: "2.0", id: 1, method: "initialize", params: initialize });
    await peer.settle();
    expect(peer.received).toMatchObject([
      { id: 1, result: {} },
      { method: "_acme/status", params: { ready: true } },
      { method: "_acme/status", params: { ready: 2 } },
    ]);
    // Afterwards it is a client like every other.
    const asked = kept?.request("_acme/ask", {});
    const { id } = await peer.next(({ method }) => method === "_acme/ask");
    peer.send({ jsonrpc: "2.0", id, result: 7 });
    expect(await asked).toBe(7);
  });

  it("keeps notifications in order that it does not wait for", async () => {
    const sent = [1, 2, 3, 4, 5, 6, 7, 8];
    const { peer } = connect((client) => {
      void (async () => {
        for (const count of sent) await client.notify("_acme/status", { count });
      })();
    });
    await peer.call("initialize", initialize);
    await peer.settle();
    expect(peer.received.slice(1).map(({ params }) => params)).toEqual(sent.map((count) => ({ count })));
  });

  it("reports notifications that cannot follow, since it has failed", async () => {
    let kept: Client | undefined;
    const { peer, diagnostics } = connect(async (client) => {
      kept = client;
      await client.notify("_acme/status", {});
      throw RequestError.internalError("No backend");
    });
    expect(await peer.call("initialize", initialize)).toMatchObject({ error: { message: "No backend" } });
    await peer.settle();
    expect(diagnostics).toMatchObject([{ type: "unsendable", method: "_acme/status" }]);
    await expect(kept?.notify("_acme/status", {})).rejects.toMatchObject({ code: "usage" });
    expect(peer.received).toHaveLength(1);
  });

  it("limits its messages to the client's capabilities, as in handlers", async () => {
    let kept: Client | undefined;
    const { peer } = connect((client) => void (kept = client));
    await peer.call("initialize", { ...initialize, clientCapabilities: {} });
    const path = { sessionId: "s", path: "/x" };
    await expect(kept?.request("fs/read_text_file", path)).rejects.toMatchObject({ code: "missing_capability" });
  });

  it("has a signal that aborts when the client is gone", async () => {
    let signal: AbortSignal | undefined;
    const { peer } = connect((_client, given) => {
      signal = given;
      return new Promise(() => {});
    });
    peer.send({ jsonrpc: "2.0", id: 1, method: "initialize", params: initialize });
    await peer.settle();
    expect(signal?.aborted).toBe(false);
    await peer.close();
    await expect.poll(() => signal?.aborted).toBe(true);
  });
});
