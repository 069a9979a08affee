import { RequestError } from "@acp/core";
import { describe, expect, test } from "vitest";

import { type CallMcpServer, serveAsHttp } from "./serve-as-http.ts";

const never = new AbortController().signal;

function post(body: unknown, signal?: AbortSignal): Request {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  return new Request("http://acp.invalid/", { method: "POST", body: text, ...(signal && { signal }) });
}

const call = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "wait" } };
const progress = { jsonrpc: "2.0", method: "notifications/progress", params: { progress: 1 } } as const;

/** A server that answers when its request is taken back. */
const waits: CallMcpServer = (_request, signal) =>
  new Promise((_resolve, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason as Error));
    if (signal.aborted) reject(signal.reason as Error);
  });

describe("an MCP server over HTTP", () => {
  test("answers in JSON, or by events if a notification came first", async () => {
    const server = serveAsHttp(never, async ({ method }, _signal, tell) => {
      if (method === "tools/call") tell(progress);
      return { result: { method } };
    });
    const plain = await server(post({ ...call, method: "tools/list" }));
    expect(plain.headers.get("content-type")).toMatch(/^application\/json/);
    expect(await plain.json()).toEqual({ jsonrpc: "2.0", id: 1, result: { method: "tools/list" } });
    const events = await server(post(call));
    expect(events.headers.get("content-type")).toBe("text/event-stream");
    const answer = { jsonrpc: "2.0", id: 1, result: { method: "tools/call" } };
    expect(await events.text()).toBe(`data: ${JSON.stringify(progress)}\n\ndata: ${JSON.stringify(answer)}\n\n`);
  });

  test("passes on the error of a request that never reached the server", async () => {
    const refused = serveAsHttp(never, async () => {
      throw new RequestError({ code: -33001, message: "There is no MCP server 'x'" }, { method: "mcp/message" });
    });
    const error = { code: -33001, message: "There is no MCP server 'x'" };
    expect(await (await refused(post(call))).json()).toEqual({ jsonrpc: "2.0", id: 1, error });
  });

  test("rejects a message that is not a request, and takes notifications silently", async () => {
    const server = serveAsHttp(never, waits);
    expect((await server(new Request("http://acp.invalid/"))).status).toBe(405);
    for (const body of ["{", "[]", "1", {}]) expect((await server(post(body))).status).toBe(400);
    expect((await server(post({ jsonrpc: "2.0", method: "notifications/initialized" }))).status).toBe(202);
  });

  test("takes a request back when its sender, its reader or its session has gone", async () => {
    const sender = new AbortController();
    const answered = serveAsHttp(never, waits)(post(call, sender.signal));
    sender.abort();
    expect(await (await answered).json()).toMatchObject({ error: { code: -32603 } });

    let withdrawn: AbortSignal | undefined;
    const telling: CallMcpServer = (request, signal, tell) => {
      withdrawn = signal;
      tell(progress);
      return waits(request, signal, tell);
    };
    const { body } = await serveAsHttp(never, telling)(post(call));
    await body?.cancel();
    expect(withdrawn?.aborted).toBe(true);

    const session = new AbortController();
    const server = serveAsHttp(session.signal, waits);
    const asked = server(post(call));
    session.abort();
    expect(await (await asked).json()).toMatchObject({ error: { code: -32603 } });
    expect(await (await server(post(call))).json()).toMatchObject({ error: { code: -32603 } });
  });

  test("answers with any size, even right after a notification", async () => {
    const image = "x".repeat(3_000_000);
    const server = serveAsHttp(never, async (_request, _signal, tell) => {
      tell(progress);
      return { result: { image } };
    });
    const [told, answered] = (await (await server(post(call))).text()).split("\n\n");
    expect(told).toBe(`data: ${JSON.stringify(progress)}`);
    expect(answered).toHaveLength(
      image.length + '{"jsonrpc":"2.0","id":1,"result":{"image":""}}'.length + "data: ".length,
    );
  });

  test("keeps no more than a mebibyte for a reader that does not read", async () => {
    let told = 0;
    const talking: CallMcpServer = async (_request, signal, tell) => {
      const message = { ...progress, params: { text: "x".repeat(1_000) } };
      for (; !signal.aborted && told < 10_000; told += 1) tell(message);
      return { result: {} };
    };
    const response = await serveAsHttp(never, talking)(post(call));
    expect(told).toBeGreaterThan(900);
    expect(told).toBeLessThan(1_100);
    await expect(response.text()).rejects.toThrow("The notifications of the MCP server are not read");
  });
});
