import { describe, expect, it } from "vitest";
import type { Diagnostic } from "../../src/base/diagnostics.ts";
import { type ProtocolError, RequestError } from "../../src/base/errors.ts";
import { createRawPeer, type RawPeer } from "../support/raw-peer.ts";
import { createAgent } from "../../src/v1/agent.ts";
import { createClient } from "../../src/v1/client.ts";
import type { ConnectedAgent } from "../../src/v1/connected-agent.ts";

const info = { name: "test", version: "1.0.0" };
const secret = "hunter2";

async function agent(): Promise<{ peer: RawPeer; diagnostics: Diagnostic[] }> {
  const diagnostics: Diagnostic[] = [];
  const definition = createAgent({
    info,
    onDiagnostic: (diagnostic) => diagnostics.push(diagnostic),
    handlers: {
      "session/prompt": () => ({ stopReason: "end_turn" }),
      "_x/echo": (params) => ({ params: params as unknown }),
      "_x/throw": () => {
        throw new Error(secret);
      },
      "_x/reject": () => Promise.reject(new Error(secret)),
      "_x/own": () => {
        throw new RequestError({ code: -32050, message: "Rate limited", data: { retryAfter: 3 } });
      },
      "_x/bigint": () => ({ value: 1n }),
      "_x/cycle": () => {
        const value: { self?: unknown } = {};
        value.self = value;
        return value;
      },
      "_x/getter": () => ({
        get value() {
          throw new Error(secret);
        },
      }),
      "_x/function": () => () => {},
      "_x/nothing": () => {},
      "_x/null": () => null,
      "_x/odd": () => {
        const { proxy, revoke } = Proxy.revocable({}, {});
        revoke();
        // What is thrown throws itself on every look at it.
        throw proxy;
      },
      "_x/fail on abort": (_params, { signal }) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener("abort", () => reject(new Error(secret)));
        }),
      "_x/wait": (_params, { signal }) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener("abort", () => reject(signal.reason as Error));
        }),
      "_x/note": () => {},
    },
  });
  const peer = createRawPeer((transport) => definition.connect(transport));
  await peer.call("initialize", { protocolVersion: 1 });
  return { peer, diagnostics };
}

/** Sends text and returns the answers to it, once the connection has proved that it still works. */
async function answersTo(peer: RawPeer, text: string): Promise<readonly Record<string, unknown>[]> {
  const before = peer.received.length;
  peer.send(text);
  const probe = await peer.call("_x/echo", { probe: before });
  expect(probe).toMatchObject({ result: { params: { probe: before } } });
  return peer.received.slice(before).filter((message) => message !== probe);
}

describe("an agent's connection", () => {
  it.each([
    ["broken JSON (RPC-09)", "{", { id: null, error: { code: -32700 } }, "noise"],
    ["a log line", "starting up", { id: null, error: { code: -32700 } }, "noise"],
    ["a number (RPC-09)", "42", { id: null, error: { code: -32600 } }, "noise"],
    ["null", "null", { id: null, error: { code: -32600 } }, "noise"],
    ["a batch (TRAN-18)", '[{"jsonrpc":"2.0","id":1,"method":"x"}]', { id: null, error: { code: -32600 } }, "noise"],
    ["an empty object", "{}", { id: null, error: { code: -32600 } }, "invalid-message"],
    ["no jsonrpc (RPC-01)", '{"id":1,"method":"x"}', { id: 1, error: { code: -32600 } }, "invalid-message"],
    [
      "a method that is no string",
      '{"jsonrpc":"2.0","id":1,"method":2}',
      { id: 1, error: { code: -32600 } },
      "invalid-message",
    ],
    [
      "an id that is an object",
      '{"jsonrpc":"2.0","id":{},"method":"_x/echo"}',
      { id: null, error: { code: -32600 } },
      "invalid-message",
    ],
    [
      "an unknown method (RPC-07)",
      '{"jsonrpc":"2.0","id":7,"method":"x/y"}',
      { id: 7, error: { code: -32601 } },
      "unknown-request",
    ],
    [
      "a method without a printable name (RPC-07)",
      '{"jsonrpc":"2.0","id":7,"method":"x\\ny"}',
      { id: 7, error: { code: -32601, message: "Method not found" } },
      "unknown-request",
    ],
    [
      "a method of Object.prototype",
      '{"jsonrpc":"2.0","id":7,"method":"constructor"}',
      { id: 7, error: { code: -32601 } },
      "unknown-request",
    ],
    [
      "bad params (RPC-08)",
      '{"jsonrpc":"2.0","id":7,"method":"session/new","params":[1]}',
      { id: 7, error: { code: -32602, data: { path: "", reason: "expected an object, got an array" } } },
      "invalid-message",
    ],
    [
      "a missing member (RPC-08)",
      '{"jsonrpc":"2.0","id":7,"method":"session/new","params":{"cwd":"/"}}',
      { id: 7, error: { code: -32602, data: { path: "/mcpServers" } } },
      "invalid-message",
    ],
    [
      "a throwing handler (RPC-10)",
      '{"jsonrpc":"2.0","id":7,"method":"_x/throw"}',
      { id: 7, error: { code: -32603, message: "Internal error" } },
      "handler-failed",
    ],
    [
      "a rejecting handler (RPC-10)",
      '{"jsonrpc":"2.0","id":7,"method":"_x/reject"}',
      { id: 7, error: { code: -32603, message: "Internal error" } },
      "handler-failed",
    ],
    [
      "a handler that throws what cannot be looked at (RPC-10)",
      '{"jsonrpc":"2.0","id":7,"method":"_x/odd"}',
      { id: 7, error: { code: -32603, message: "Internal error" } },
      "handler-failed",
    ],
    [
      "a BigInt result",
      '{"jsonrpc":"2.0","id":7,"method":"_x/bigint"}',
      { id: 7, error: { code: -32603 } },
      "unsendable",
    ],
    [
      "a cyclic result",
      '{"jsonrpc":"2.0","id":7,"method":"_x/cycle"}',
      { id: 7, error: { code: -32603 } },
      "unsendable",
    ],
    [
      "a result whose getter throws",
      '{"jsonrpc":"2.0","id":7,"method":"_x/getter"}',
      { id: 7, error: { code: -32603 } },
      "unsendable",
    ],
    [
      "a function as result",
      '{"jsonrpc":"2.0","id":7,"method":"_x/function"}',
      { id: 7, error: { code: -32603 } },
      "unsendable",
    ],
  ])("answers %s and continues", async (_name, text, answer, diagnostic) => {
    const { peer, diagnostics } = await agent();
    const answers = await answersTo(peer, text);
    expect(answers).toMatchObject([{ jsonrpc: "2.0", ...answer }]);
    expect(JSON.stringify(answers)).not.toContain(secret);
    expect(JSON.stringify(answers)).not.toMatch(/\bat .*:\d+:\d+/);
    expect(diagnostics).toMatchObject([{ type: diagnostic }]);
  });

  it.each([
    ["an unknown notification (RPC-03, EXT-09)", '{"jsonrpc":"2.0","method":"x/y"}', "unknown-notification"],
    [
      "a notification with bad params (RPC-03)",
      '{"jsonrpc":"2.0","method":"session/cancel","params":{"sessionId":3}}',
      "invalid-message",
    ],
    ["a notification without jsonrpc (RPC-03)", '{"method":"session/cancel"}', "invalid-message"],
    ["an answer nobody waits for", '{"jsonrpc":"2.0","id":5,"result":{}}', "unexpected-response"],
    [
      "an error answer with id null",
      '{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"x"}}',
      "unexpected-response",
    ],
    [
      "a message with method and result",
      '{"jsonrpc":"2.0","id":5,"method":"_x/echo","result":{}}',
      "unexpected-response",
    ],
    ["a batch of answers (TRAN-18)", '[{"jsonrpc":"2.0","id":5,"result":{}}]', "noise"],
    ["a batch of notifications (TRAN-18, RPC-03)", '[{"jsonrpc":"2.0","method":"_x/note"}]', "noise"],
    ["a cancel without an id", '{"jsonrpc":"2.0","method":"$/cancel_request","params":{}}', "invalid-message"],
  ])("never answers %s", async (_name, text, diagnostic) => {
    const { peer, diagnostics } = await agent();
    expect(await answersTo(peer, text)).toEqual([]);
    expect(diagnostics).toMatchObject([{ type: diagnostic }]);
  });

  it.each([
    ["0", "RPC-04"],
    ['""', "RPC-04"],
    ['"0"', "RPC-04"],
    ["null", "RPC-04, RPC-05"],
    ["-5", "RPC-04"],
    ["1.5", "RPC-04"],
    ["9007199254740993", "RPC-04"],
    ["1e400", "RPC-04"],
    ['"\\ud800"', "RPC-04"],
  ])("answers a request with id %s under the very same id (%s)", async (id, _rules) => {
    const texts: string[] = [];
    const { peer } = await agent();
    const parse = JSON.parse;
    // The raw text of the answer, before the peer parses it.
    JSON.parse = (text: string) => {
      texts.push(text);
      return parse(text) as unknown;
    };
    try {
      peer.send(`{"jsonrpc":"2.0","id":${id},"method":"_x/echo"}`);
      await peer.settle();
    } finally {
      JSON.parse = parse;
    }
    expect(texts.at(-1)).toContain(`"id":${id},"result"`);
  });

  it("passes an error that a handler chose on as it is", async () => {
    const { peer, diagnostics } = await agent();
    expect(await peer.call("_x/own")).toMatchObject({
      error: { code: -32050, message: "Rate limited", data: { retryAfter: 3 } },
    });
    expect(diagnostics).toEqual([]);
  });

  it("joins the wire error and the diagnostic by a correlation id (ERR-04)", async () => {
    const { peer, diagnostics } = await agent();
    const { error } = await peer.call("_x/throw");
    const { correlationId } = (error as { data: { correlationId: string } }).data;
    expect(diagnostics).toMatchObject([{ correlationId, error: { message: secret } }]);
  });

  it("answers {} for nothing, and null for null", async () => {
    const { peer } = await agent();
    expect(await peer.call("_x/nothing")).toMatchObject({ result: {} });
    expect(await peer.call("_x/null")).toMatchObject({ result: null });
  });

  it("refuses an id that is in use, and continues with the request that uses it", async () => {
    const { peer, diagnostics } = await agent();
    peer.send({ jsonrpc: "2.0", id: "a", method: "_x/wait" });
    peer.send({ jsonrpc: "2.0", id: "a", method: "_x/echo" });
    expect(await peer.next(({ id }) => id === "a")).toMatchObject({ error: { code: -32600 } });
    peer.send({ jsonrpc: "2.0", method: "$/cancel_request", params: { requestId: "a" } });
    expect(await peer.next(({ id }) => id === "a")).toMatchObject({ error: { code: -32800 } });
    expect(diagnostics).toMatchObject([{ type: "invalid-message", path: ["id"] }]);
  });

  it("reports an error that a handler throws after a cancel, but not the cancel itself (RCAN-04)", async () => {
    const { peer, diagnostics } = await agent();
    peer.send({ jsonrpc: "2.0", id: 1, method: "_x/fail on abort" });
    peer.send({ jsonrpc: "2.0", id: 2, method: "_x/wait" });
    for (const requestId of [1, 2]) peer.send({ jsonrpc: "2.0", method: "$/cancel_request", params: { requestId } });
    for (const wanted of [1, 2]) {
      expect(await peer.next(({ id }) => id === wanted)).toMatchObject({ error: { code: -32800 } });
    }
    expect(diagnostics).toMatchObject([{ type: "handler-failed", method: "_x/fail on abort" }]);
  });

  it("cancels the request with an id above 2^53 and no other (RCAN-02)", async () => {
    const { peer } = await agent();
    peer.send('{"jsonrpc":"2.0","id":9007199254740993,"method":"_x/wait"}');
    peer.send('{"jsonrpc":"2.0","id":9007199254740994,"method":"_x/wait"}');
    peer.send('{"jsonrpc":"2.0","method":"$/cancel_request","params":{"requestId":9007199254740993}}');
    await peer.settle();
    expect(peer.received.filter(({ error }) => error !== undefined)).toHaveLength(1);
  });

  it.each([
    ["a relative path (CONV-02)", "session/new", { cwd: "here", mcpServers: [] }, -32602, ["cwd"]],
    [
      "a session that is not open (SESS-26)",
      "session/prompt",
      { sessionId: "none", prompt: [] },
      -32002,
      ["sessionId"],
    ],
    ["initialize, again (INIT-20)", "initialize", { protocolVersion: 1 }, -32600, []],
  ])("names in a diagnostic that it refused %s", async (_name, method, params, code, path) => {
    const { peer, diagnostics } = await agent();
    expect(await peer.call(method, params)).toMatchObject({ error: { code } });
    expect(diagnostics).toMatchObject([{ type: "invalid-message", method, path }]);
  });

  it("survives 100,000 levels of nesting", async () => {
    const { peer } = await agent();
    const deep = `${"[".repeat(100_000)}${"]".repeat(100_000)}`;
    await answersTo(peer, `{"jsonrpc":"2.0","method":"_x/note","params":${deep}}`);
    const answers = await answersTo(
      peer,
      `{"jsonrpc":"2.0","id":1,"method":"session/new","params":{"cwd":${deep},"mcpServers":[]}}`,
    );
    expect(answers).toHaveLength(1);
  });
});

async function client(): Promise<{ peer: RawPeer; connected: ConnectedAgent; diagnostics: Diagnostic[] }> {
  const diagnostics: Diagnostic[] = [];
  const definition = createClient({
    info,
    onDiagnostic: (diagnostic) => diagnostics.push(diagnostic),
    handlers: { "_x/echo": (params) => ({ params: params as unknown }) },
  });
  let connecting: Promise<ConnectedAgent> | undefined;
  const peer = createRawPeer((transport) => {
    connecting = definition.connect(transport);
  });
  const { id } = await peer.next(({ method }) => method === "initialize");
  peer.send({ jsonrpc: "2.0", id, result: { protocolVersion: 1 } });
  const connected = await connecting;
  if (connected === undefined) throw new Error("not connected");
  return { peer, connected, diagnostics };
}

describe("a client's connection", () => {
  it.each(["starting up", "{", "42", '{"level":"info","msg":"x"}', '{"id":1,"method":"log"}', "[]", "null"])(
    "does not answer the log line %s on the agent's stdout",
    async (text) => {
      const { peer, diagnostics } = await client();
      expect(await answersTo(peer, text)).toEqual([]);
      expect(diagnostics).toMatchObject([{ type: "noise", received: text }]);
    },
  );

  it.each([
    [
      "both result and error (RPC-02)",
      { result: {}, error: { code: 1, message: "x" } },
      /\/error: stands beside a result/,
    ],
    ["neither result nor error (RPC-02)", {}, /has neither result nor error/],
    ["an error that is none (RPC-02)", { error: "x" }, /\/error: is no error object; the answer says: x$/],
    [
      "an error with another code (RPC-02)",
      { error: { code: "E_QUOTA", message: "Your quota is exhausted" } },
      /\/error\/code: expected an integer; the answer says: Your quota is exhausted$/,
    ],
    ["an error without a message (RPC-02)", { error: { code: 1, data: {} } }, /\/error\/message: expected a string$/],
    ["another jsonrpc", { jsonrpc: "1.0", result: {} }, /\/jsonrpc: expected "2.0"/],
    ["a method beside the result", { method: "x", result: {} }, /\/method: does not belong/],
    [
      "a result of the wrong shape",
      { result: { sessionId: 5 } },
      /\/result\/sessionId: expected a string, got a number/,
    ],
  ])("settles the caller of a request whose answer has %s", async (_name, answer, reason) => {
    const { peer, connected, diagnostics } = await client();
    const calling = connected.newSession({ cwd: "/" });
    const { id } = await peer.next(({ method }) => method === "session/new");
    peer.send({ jsonrpc: "2.0", id, ...answer });
    const error = await calling.catch((thrown: unknown) => thrown as ProtocolError);
    expect(error).toMatchObject({ code: "protocol_violation", message: expect.stringMatching(reason) });
    const { path } = error as ProtocolError;
    expect(diagnostics).toMatchObject([{ type: "invalid-message", method: "session/new", path }]);
    expect(await peer.call("_x/echo", 1)).toMatchObject({ result: { params: 1 } });
  });

  it("runs no handler for a request in place of a notification, nor the other way round (RPC-07)", async () => {
    const handled: string[] = [];
    const peer = createRawPeer((transport) => {
      const editor = createClient({
        info,
        handlers: {
          "session/update": () => void handled.push("session/update"),
          "fs/read_text_file": () => (handled.push("fs/read_text_file"), { content: "" }),
          "fs/write_text_file": () => void handled.push("fs/write_text_file"),
        },
      });
      void editor.connect(transport);
    });
    const { id } = await peer.next(({ method }) => method === "initialize");
    peer.send({ jsonrpc: "2.0", id, result: { protocolVersion: 1 } });
    peer.send({ jsonrpc: "2.0", method: "fs/write_text_file", params: { path: "relative" } });
    expect(await peer.call("session/update", { sessionId: 5 })).toMatchObject({ error: { code: -32601 } });
    expect(handled).toEqual([]);
  });

  it("shows no name of the peer's choice in a path unless it is printable (ERR-06)", async () => {
    const diagnostics: Diagnostic[] = [];
    const peer = createRawPeer((transport) => {
      const editor = createClient({
        info,
        capabilities: { elicitation: { form: {} } },
        handlers: { "elicitation/create": () => ({ action: "cancel" }) },
        onDiagnostic: (diagnostic) => diagnostics.push(diagnostic),
      });
      void editor.connect(transport);
    });
    const { id } = await peer.next(({ method }) => method === "initialize");
    peer.send({ jsonrpc: "2.0", id, result: { protocolVersion: 1 } });
    const requestedSchema = { type: "object", properties: { [`${secret}\n`]: 5 } };
    const params = { requestId: 1, mode: "form", message: "", requestedSchema };
    expect(await peer.call("elicitation/create", params)).toMatchObject({
      error: { code: -32602, data: { path: "/requestedSchema/properties/*" } },
    });
    expect(diagnostics).toMatchObject([{ path: ["requestedSchema", "properties", `${secret}\n`] }]);
    expect(diagnostics[0]?.message).not.toContain(secret);
  });

  it("matches answers by the type of the id, and reports a second one", async () => {
    const { peer, connected, diagnostics } = await client();
    const calling = connected.request("_x/y");
    const { id } = await peer.next(({ method }) => method === "_x/y");
    peer.send({ jsonrpc: "2.0", id: String(id), result: "wrong" });
    peer.send({ jsonrpc: "2.0", id, result: "right" });
    peer.send({ jsonrpc: "2.0", id, result: "again" });
    expect(await calling).toBe("right");
    await peer.settle();
    expect(diagnostics).toMatchObject([{ type: "unexpected-response" }, { type: "unexpected-response" }]);
  });

  it("rejects with the error as received, of any code (ERR-07)", async () => {
    const { peer, connected } = await client();
    const calling = connected.request("_x/y");
    const { id } = await peer.next(({ method }) => method === "_x/y");
    peer.send({ jsonrpc: "2.0", id, error: { code: 12_345, message: "odd", data: [1] } });
    await expect(calling).rejects.toMatchObject({
      code: "request_failed",
      method: "_x/y",
      wire: { code: 12_345, message: "odd", data: [1] },
    });
  });

  it("rejects at once on abort, tells the agent, and absorbs the late answer (RCAN-01)", async () => {
    const { peer, connected, diagnostics } = await client();
    const controller = new AbortController();
    const calling = connected.request("_x/y", undefined, { signal: controller.signal });
    const { id } = await peer.next(({ method }) => method === "_x/y");
    controller.abort(new Error("enough"));
    await expect(calling).rejects.toThrow("enough");
    expect(await peer.next(({ method }) => method === "$/cancel_request")).toMatchObject({ params: { requestId: id } });
    peer.send({ jsonrpc: "2.0", id, result: 1 });
    await peer.settle();
    expect(diagnostics).toMatchObject([{ type: "late-response", method: "_x/y" }]);
  });

  it("sends nothing for a signal that has aborted already", async () => {
    const { peer, connected } = await client();
    await expect(connected.request("_x/y", {}, { signal: AbortSignal.abort(new Error("no")) })).rejects.toThrow("no");
    await peer.settle();
    expect(peer.received.map(({ method }) => method)).toEqual(["initialize"]);
  });

  it.each<readonly [what: string, params: unknown]>([
    ["a bigint", { value: 1n }],
    ["a function", () => {}],
    ["a symbol", Symbol("x")],
    ["nothing, by toJSON", { toJSON: () => undefined }],
  ])("rejects params that are not JSON, %s, and continues", async (_what, params) => {
    const { peer, connected } = await client();
    await expect(connected.request("_x/y", params)).rejects.toMatchObject({ code: "usage" });
    await expect(connected.notify("_x/y", params)).rejects.toMatchObject({ code: "usage" });
    expect(await peer.call("_x/echo", 1)).toMatchObject({ result: { params: 1 } });
  });

  it.each(
    [{ a: 'x"}' }, ["x"], "x", 'x"}', 1, null, false, { toJSON: () => "x" }, undefined].map((params) => ({ params })),
  )("sends the params $params as JSON.stringify writes them", async ({ params }) => {
    const { peer, connected } = await client();
    void connected.request("_x/y", params).catch(() => {});
    const { id } = await peer.next(({ method }) => method === "_x/y");
    const message = { jsonrpc: "2.0", id, method: "_x/y", params };
    expect(peer.received.at(-1)).toStrictEqual(JSON.parse(JSON.stringify(message)));
  });

  it("rejects pending calls when the connection ends, and every call after it", async () => {
    const { peer, connected } = await client();
    const calling = connected.request("_x/y");
    await peer.next(({ method }) => method === "_x/y");
    await peer.close();
    await expect(calling).rejects.toMatchObject({ code: "connection_closed" });
    await connected.closed;
    await expect(connected.request("_x/z")).rejects.toMatchObject({ code: "connection_closed" });
    await expect(connected.notify("_x/z")).rejects.toMatchObject({ code: "connection_closed" });
  });
});
