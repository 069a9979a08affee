// Event streams that end, break off, or carry what is no message.
import { expect, test } from "vitest";

import { createHttpTransport } from "../src/client/http-transport.ts";
import { client, cwd, diagnostics, type Fetch, serve } from "./support/served-client.ts";
import { endpoint } from "./support/in-process.ts";

test("a stream that ends in an orderly way is opened again, and nothing is lost", async () => {
  let opened = 0;
  const { fetch, exchanges } = serve(() => undefined);
  const cutting: Fetch = async (url, init) => {
    const response = await fetch(url, init);
    if (init.method !== "GET" || response.status !== 200 || ++opened > 4) return response;
    // What a proxy does that ends streams when they are old: the events so far, then the end.
    const reader = response.body?.getReader();
    const first = await reader?.read();
    await reader?.cancel();
    return new Response(first?.value as Uint8Array<ArrayBuffer>, { headers: response.headers });
  };
  const connected = await client.connect(createHttpTransport(endpoint, { fetch: cutting }));
  const session = await connected.newSession({ cwd });
  const turn = session.prompt("go");
  const texts: unknown[] = [];
  for await (const update of turn.updates) {
    texts.push(update);
    turn.cancel();
  }
  expect(texts).toHaveLength(1);
  await turn.response;
  expect(exchanges.filter(({ method }) => method === "GET").length).toBeGreaterThan(4);
  await connected.close();
  expect(diagnostics).toEqual([]);
});

test("a stream that ends in the middle of an event, and cannot be resumed, fails its session, and no other one", async () => {
  const { fetch } = serve();
  const cutting: Fetch = async (url, init) => {
    const response = await fetch(url, init);
    if (init.method !== "GET" || !new Headers(init.headers).has("Acp-Session-Id")) return response;
    // What a proxy does that speaks HTTP/1.0 to the server, and cannot tell its end from a connection that has broken.
    const reader = response.body?.getReader();
    const body = new ReadableStream<Uint8Array>({
      async pull(controller) {
        const { value } = (await reader?.read()) ?? {};
        if (value === undefined || value.length < 10) return controller.enqueue(value ?? new Uint8Array(1));
        controller.enqueue(value.slice(0, -10));
        controller.close();
        await reader?.cancel();
      },
    });
    return new Response(body, { headers: response.headers });
  };
  const connected = await client.connect(createHttpTransport(endpoint, { fetch: cutting, resumeTimeout: 0 }));
  const session = await connected.newSession({ cwd });
  const reason = "A stream from the server broke: it ended in the middle of an event; what was on its way is lost";
  await expect(session.prompt("go").response).rejects.toMatchObject({
    code: "request_failed",
    wire: { code: -32603, message: reason },
  });
  expect(diagnostics).toMatchObject([
    {
      type: "framing",
      issue: { code: "interrupted-stream", message: `The session "${session.id}" has failed: ${reason}` },
    },
  ]);
  expect((await connected.newSession({ cwd })).id).toBeTypeOf("string");
  await connected.close();
});

test("a stream that ends in an orderly way, and cannot be resumed, is opened again with a diagnostic", async () => {
  let opened = 0;
  const { fetch } = serve();
  const ending: Fetch = async (url, init) => {
    const response = await fetch(url, init);
    if (init.method !== "GET" || response.status !== 200 || ++opened > 1) return response;
    await response.body?.cancel();
    return new Response(":\n\n", { headers: response.headers });
  };
  const connected = await client.connect(createHttpTransport(endpoint, { fetch: ending, resumeTimeout: 0 }));
  await expect.poll(() => diagnostics).toHaveLength(1);
  expect(diagnostics).toMatchObject([{ type: "framing", level: "warning", issue: { code: "interrupted-stream" } }]);
  await connected.close();
});

test("a stream that the server cannot resume any more fails its session, and no other one", async () => {
  const { fetch } = serve();
  let breaking = "";
  const losing: Fetch = async (url, init) => {
    const headers = new Headers(init.headers);
    if (init.method !== "GET" || headers.get("Acp-Session-Id") !== breaking) return await fetch(url, init);
    if (headers.get("Last-Event-ID")?.endsWith("-0") !== true) return new Response("dropped", { status: 412 });
    const response = await fetch(url, init);
    const reader = response.body?.getReader();
    const body = new ReadableStream<Uint8Array>({
      async pull(controller) {
        const { value } = (await reader?.read()) ?? {};
        if (value !== undefined) controller.enqueue(value);
        // The comment at its beginning, then the first event.
        if (value !== undefined && value.length > 10) controller.error(new Error("cut"));
      },
    });
    return new Response(body, { headers: response.headers });
  };
  const connected = await client.connect(createHttpTransport(endpoint, { fetch: losing }));
  const other = await connected.newSession({ cwd });
  const turn = other.prompt("go");
  const broken = await connected.newSession({ cwd });
  breaking = broken.id;
  const reason = /could not be resumed: .* was answered with 412: dropped; load or resume the session again/;
  // Its stream is opened again, and is one to break.
  await broken.close();
  const again = await connected.resumeSession({ sessionId: broken.id, cwd });
  await expect(again.prompt("go").response).rejects.toThrow(reason);
  turn.cancel();
  expect((await turn.response).stopReason).toBe("cancelled");
  await connected.close();
});

test("a stream that always ends at once ends the connection, and is not opened for ever", async () => {
  let opened = 0;
  const { fetch } = serve((request) => {
    if (request.method !== "GET") return undefined;
    opened++;
    return new Response("", { headers: { "Content-Type": "text/event-stream" } });
  });
  const connected = await client.connect(createHttpTransport(endpoint, { fetch, resumeTimeout: 0 }));
  await connected.closed;
  expect(opened).toBe(6);
  expect(diagnostics.at(-1)).toMatchObject({ type: "closed", error: { message: /6 times in a row/ } });
});

test("a server that ends the connection in an orderly way ends it so for the client", async () => {
  const { fetch, server } = serve();
  const connected = await client.connect(createHttpTransport(endpoint, { fetch }));
  await server.close();
  await connected.closed;
  await expect(connected.newSession({ cwd })).rejects.toMatchObject({ code: "connection_closed" });
});

test("garbage and messages over the limit on a stream are reported, and the connection continues", async () => {
  const { fetch } = serve(undefined, { maxMessageBytes: 1_000_000 });
  const adding: Fetch = async (url, init) => {
    const response = await fetch(url, init);
    if (init.method !== "GET" || new Headers(init.headers).has("Acp-Session-Id")) return response;
    const garbage = `data: no json\n\ndata: [1]\n\nnonsense\n\ndata: {"x":"${"y".repeat(50_000)}"}\n\n`;
    const joined = new TransformStream<Uint8Array, Uint8Array>({
      start: (controller) => controller.enqueue(new TextEncoder().encode(garbage)),
    });
    void response.body?.pipeTo(joined.writable).catch(() => {});
    return new Response(joined.readable, { headers: response.headers });
  };
  const connected = await client.connect(createHttpTransport(endpoint, { fetch: adding, maxMessageBytes: 40_000 }));
  const session = await connected.newSession({ cwd });
  expect(diagnostics.map(({ type }) => type)).toEqual(["noise", "noise", "framing"]);
  expect(diagnostics[2]).toMatchObject({ issue: { code: "message-too-large", limit: 40_000 } });
  await session.close();
  await connected.close();
});
