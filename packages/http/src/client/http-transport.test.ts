import { createAgent } from "@acp/core";
import { expect, test } from "vitest";

import { HttpError } from "../http-error.ts";
import { endpoint } from "../../test/support/in-process.ts";
import { client, cwd, diagnostics, type Fetch, methodOf, serve } from "../../test/support/served-client.ts";
import { createCookieJar } from "./cookie-jar.ts";
import { createHttpTransport } from "./http-transport.ts";

test("cookies that the server sets are added to the cookie of `headers`, and do not replace it", async () => {
  const cookies: (string | null)[] = [];
  const { fetch: reach } = serve();
  const fetch: Fetch = async (url, init) => {
    cookies.push(new Headers(init.headers).get("Cookie"));
    const response = await reach(url, init);
    const headers = new Headers(response.headers);
    headers.set("Set-Cookie", "machine=7");
    return new Response(response.body, { status: response.status, headers });
  };
  const connected = await client.connect(createHttpTransport(endpoint, { fetch, headers: { cookie: "login=ada" } }));
  await connected.close();
  expect(cookies[0]).toBe("login=ada");
  expect(cookies.at(-1)).toBe("login=ada; machine=7");
});

test("createHttpTransport() opens a stream for the connection and one for each session, and ends with DELETE", async () => {
  const { fetch, exchanges, server } = serve();
  const connected = await client.connect(createHttpTransport(endpoint, { fetch }));
  const session = await connected.newSession({ cwd });
  const turn = session.prompt("go");
  for await (const update of turn.updates) if (update.sessionUpdate === "agent_message_chunk") turn.cancel();
  expect((await turn.response).stopReason).toBe("cancelled");
  await connected.close();
  const { id } = session;
  // The answer to session/new comes by the stream, and may be there before its POST is answered.
  const [opened, listened, ...rest] = exchanges;
  expect([opened, listened]).toEqual([
    { method: "POST", session: null, status: 200 },
    { method: "GET", session: null, status: 200 },
  ]);
  expect(rest.splice(0, 2).toSorted((one, other) => one.method.localeCompare(other.method))).toEqual([
    { method: "GET", session: id, status: 200 },
    { method: "POST", session: null, status: 202 },
  ]);
  expect(rest).toEqual([
    { method: "POST", session: id, status: 202 },
    { method: "POST", session: id, status: 202 },
    { method: "DELETE", session: null, status: 202 },
  ]);
  await expect.poll(() => server.connections).toBe(0);
  expect(diagnostics).toEqual([]);
});

test("messages of a session arrive in the order in which they were sent, though the first takes longest", async () => {
  const arrived: string[] = [];
  let goOn = (): void => {};
  const otherCame = new Promise<void>((resolve) => (goOn = resolve));
  const { fetch } = serve(async (request) => {
    if ((await methodOf(request)) !== "_acme/note") return undefined;
    const { n } = ((await request.json()) as { params: { n: number } }).params;
    if (n === 0) await otherCame;
    if (n === 9) goOn();
    arrived.push(`${request.headers.get("Acp-Session-Id")} ${n}`);
    return new Response(null, { status: 202 });
  });
  const connected = await client.connect(createHttpTransport(endpoint, { fetch }));
  const [one, two] = await Promise.all([connected.newSession({ cwd }), connected.newSession({ cwd })]);
  for (let n = 0; n < 5; n++) await connected.notify("_acme/note", { sessionId: one.id, n });
  await connected.notify("_acme/note", { sessionId: two.id, n: 9 });
  await expect.poll(() => arrived.length).toBe(6);
  // The other session's did not wait.
  expect(arrived[0]).toBe(`${two.id} 9`);
  expect(arrived.slice(1)).toEqual([0, 1, 2, 3, 4].map((n) => `${one.id} ${n}`));
  await connected.close();
});

test("a request that the server refuses rejects with its status and its body; the connection continues", async () => {
  let status = 500;
  const { fetch } = serve(async (request) =>
    (await methodOf(request)) === "session/prompt" ? new Response('{"why":"full"}', { status }) : undefined,
  );
  const connected = await client.connect(createHttpTransport(endpoint, { fetch }));
  const session = await connected.newSession({ cwd });
  await expect(session.prompt("go").response).rejects.toMatchObject({
    name: "RequestError",
    message: expect.stringMatching(
      /session\/prompt: POST http:\/\/localhost\/acp for session\/prompt was answered with 500/,
    ),
    wire: { code: -32603, data: { status: 500, body: '{"why":"full"}' } },
  });
  status = 413;
  await expect(session.prompt("go").response).rejects.toThrow("the message is larger than the server takes");
  status = 429;
  await expect(session.prompt("go").response).rejects.toThrow("try again later");
  await session.close();
  await connected.close();
  expect(diagnostics).toEqual([]);
});

test("the page of a proxy that answers is one line of the message", async () => {
  const page = "<html>\r\n<center><h1>504 Gateway Time-out</h1></center>\r\n</html>\r\n";
  const { fetch } = serve(() => new Response(page, { status: 503 }));
  const connecting = client.connect(createHttpTransport(endpoint, { fetch }));
  await expect(connecting).rejects.toThrow(
    "was answered with 503: <html> <center><h1>504 Gateway Time-out</h1></center> </html>; try again later",
  );
});

test("a request that something in between answers with a page rejects, and does not wait for ever", async () => {
  const { fetch } = serve(async (request) =>
    (await methodOf(request)) === "session/prompt"
      ? new Response("<html>Log in", { headers: { "Content-Type": "text/html; charset=utf-8" } })
      : undefined,
  );
  const connected = await client.connect(createHttpTransport(endpoint, { fetch }));
  const session = await connected.newSession({ cwd });
  await expect(session.prompt("go").response).rejects.toMatchObject({
    message: expect.stringContaining("session/prompt was answered with a page, such as one to log in, and not taken"),
    wire: { data: { status: 200, body: "<html>Log in" } },
  });
  await connected.close();
});

test.each([401, 403, 404, 410])("status %i ends the connection, and all that waits", async (status) => {
  let isGone = false;
  const { fetch } = serve(() => (isGone ? new Response("gone", { status }) : undefined));
  const connected = await client.connect(createHttpTransport(endpoint, { fetch }));
  const session = await connected.newSession({ cwd });
  const waiting = session.prompt("go").response;
  waiting.catch(() => {});
  isGone = true;
  const other = connected.newSession({ cwd });
  const error: unknown = await other.catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(HttpError);
  expect(error).toMatchObject({ code: "http_failed", status, body: "gone" });
  await expect(waiting).rejects.toBe(error);
  expect(diagnostics).toMatchObject([{ type: "closed", error }]);
  await connected.closed;
});

test("a server that cannot be reached fails connecting, with the reason", async () => {
  const fetch: Fetch = () =>
    Promise.reject(new TypeError("fetch failed", { cause: new Error("connect ECONNREFUSED") }));
  await expect(client.connect(createHttpTransport(endpoint, { fetch }))).rejects.toMatchObject({
    code: "http_failed",
    status: undefined,
    message: "POST http://localhost/acp for initialize did not reach the server: connect ECONNREFUSED",
  });
});

test("an answer to initialize without a connection fails connecting", async () => {
  const { fetch } = serve(() => new Response("<html>", { headers: { "Content-Type": "text/html" } }));
  await expect(client.connect(createHttpTransport(endpoint, { fetch }))).rejects.toThrow(
    "The server answered initialize without Acp-Connection-Id; is ACP served at this URL?",
  );
});

test("an error answer to initialize rejects connecting with the agent's message", async () => {
  const refusing = createAgent({
    info: { name: "agent", version: "1" },
    connected: () => {
      throw new Error("no");
    },
    handlers: { "session/prompt": () => ({ stopReason: "end_turn" }) },
  });
  const { fetch, server } = serve(() => undefined, { agent: refusing });
  await expect(client.connect(createHttpTransport(endpoint, { fetch }))).rejects.toMatchObject({
    wire: { code: -32603 },
  });
  await expect.poll(() => server.connections).toBe(0);
});

test("redirects are not followed, but reported", async () => {
  const seen: unknown[] = [];
  const { fetch } = serve((request) => {
    seen.push(request.redirect);
    return new Response(null, { status: 307, headers: { Location: "https://evil.example/acp" } });
  });
  await expect(client.connect(createHttpTransport(endpoint, { fetch }))).rejects.toThrow(
    "redirects are not followed, so that credentials stay with this server: use https://evil.example/acp",
  );
  expect(seen).toEqual(["manual"]);
});

test("headers that cannot be made end the connection with the reason", async () => {
  const { fetch } = serve();
  const reason = new Error("the token has expired");
  const headers = (): never => {
    throw reason;
  };
  await expect(client.connect(createHttpTransport(endpoint, { fetch, headers }))).rejects.toMatchObject({
    code: "http_failed",
    message: "The headers for initialize could not be made: the token has expired",
    cause: reason,
  });
});

test.each(["Bearer secret\nx", "Bearer secret“"])(
  "a header that cannot be sent fails connecting, and stays secret: %j",
  async (value) => {
    const { fetch } = serve();
    const headers = { Accept: "x", Authorization: value };
    const failed = await client
      .connect(createHttpTransport(endpoint, { fetch, headers }))
      .catch((error: unknown) => error);
    expect(failed).toBeInstanceOf(HttpError);
    const { message, cause } = failed as HttpError;
    expect([message, cause]).toEqual([
      "The header Authorization for initialize cannot be sent: it has a line break, or no Latin-1 text",
      undefined,
    ]);
  },
);

test("a cancellation does not overtake the request that it cancels", async () => {
  const arrived: unknown[] = [];
  const { fetch } = serve(async (request) => {
    const method = await methodOf(request);
    if (method === "_acme/work") await new Promise((resolve) => setTimeout(resolve, 30));
    if (method === "_acme/work" || method === "$/cancel_request") arrived.push(method);
    return undefined;
  });
  const connected = await client.connect(createHttpTransport(endpoint, { fetch }));
  const session = await connected.newSession({ cwd });
  const abort = new AbortController();
  const { signal } = abort;
  const request = connected.request as unknown as (...args: readonly unknown[]) => Promise<unknown>;
  const work = request("_acme/work", { sessionId: session.id }, { signal });
  abort.abort(new Error("not needed"));
  await expect(work).rejects.toThrow("not needed");
  await expect.poll(() => arrived).toEqual(["_acme/work", "$/cancel_request"]);
  await connected.close();
});

test("every request carries the headers, computed each time, and cookies last until the end of the connection", async () => {
  const seen: (readonly [string, string | null, string | null])[] = [];
  const { fetch: real } = serve();
  const fetch: Fetch = async (url, init) => {
    const headers = new Headers(init.headers);
    seen.push([init.method ?? "", headers.get("Authorization"), headers.get("Cookie")]);
    const response = await real(url, init);
    const answered = new Headers(response.headers);
    if (init.method === "POST") answered.append("Set-Cookie", "node=7; Path=/; HttpOnly");
    return new Response(response.body, { status: response.status, headers: answered });
  };
  let token = 0;
  const cookies = createCookieJar();
  const headers = (): Record<string, string> => ({ Authorization: `Bearer ${++token}` });
  const connected = await client.connect(createHttpTransport(endpoint, { fetch, headers, cookies }));
  await connected.close();
  const methods = seen.map(([method, , cookie]) => `${method} ${cookie}`);
  expect(methods).toEqual(["POST null", "GET node=7", "DELETE node=7"]);
  expect(seen.map(([, authorization]) => authorization)).toEqual(["Bearer 1", "Bearer 2", "Bearer 3"]);
  await (await client.connect(createHttpTransport(endpoint, { fetch, cookies }))).close();
  expect(seen[3]).toEqual(["POST", null, "node=7"]);
  await (await client.connect(createHttpTransport(endpoint, { fetch, cookies: "omit" }))).close();
  expect(seen.slice(-3).map(([, , cookie]) => cookie)).toEqual([null, null, null]);
});

test("a message of the client over its limit is not sent, and the connection continues", async () => {
  const { fetch } = serve();
  const connected = await client.connect(createHttpTransport(endpoint, { fetch, maxMessageBytes: 10_000 }));
  const session = await connected.newSession({ cwd });
  await expect(session.prompt("x".repeat(10_000)).response).rejects.toMatchObject({ code: "message_too_large" });
  await session.close();
  await connected.close();
});

test("close() does not wait for ever for a server that does not answer", async () => {
  let isHanging = false;
  const { fetch } = serve(() => (isHanging ? new Promise<never>(() => {}) : undefined));
  const connected = await client.connect(createHttpTransport(endpoint, { fetch }));
  const pending = connected.newSession({ cwd });
  await pending;
  isHanging = true;
  const late = connected.newSession({ cwd });
  late.catch(() => {});
  await connected.close();
  await expect(late).rejects.toMatchObject({ code: "connection_closed" });
});

test("connecting can be cancelled while the server does not answer, and a late connection is closed", async () => {
  let answer = (): void => {};
  const held = new Promise<void>((resolve) => (answer = resolve));
  const { fetch, server } = serve(async (request) => {
    if ((await methodOf(request)) === "initialize") await held;
    return undefined;
  });
  const abort = new AbortController();
  const connecting = client.connect(createHttpTransport(endpoint, { fetch }), { signal: abort.signal });
  const reason = new Error("given up");
  abort.abort(reason);
  await expect(connecting).rejects.toBe(reason);
  answer();
  await expect.poll(() => server.connections).toBe(0);
});

test("cancelling in the middle of the answer ends the connection that it opened", async () => {
  let begin = (): void => {};
  const begun = new Promise<void>((resolve) => (begin = resolve));
  const { fetch, server } = serve();
  const slow: Fetch = async (url, init) => {
    const response = await fetch(url, init);
    if (init.method !== "POST") return response;
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => init.signal?.addEventListener("abort", () => controller.error(init.signal?.reason)),
      pull: () => begin(),
    });
    return new Response(body, { headers: response.headers });
  };
  const abort = new AbortController();
  const connecting = client.connect(createHttpTransport(endpoint, { fetch: slow }), { signal: abort.signal });
  await begun;
  expect(server.connections).toBe(1);
  // The body has started when the client reads it.
  await new Promise((resolve) => setTimeout(resolve));
  abort.abort(new Error("given up"));
  await expect(connecting).rejects.toThrow("given up");
  await expect.poll(() => server.connections).toBe(0);
});

test.each(["日本", " led", "two\nlines"])(
  "a session whose id is %j cannot be used, and the connection continues",
  async (id) => {
    const ids = [id, "plain"];
    const { fetch } = serve(undefined, {
      agent: createAgent({
        info: { name: "agent", version: "1" },
        sessionId: () => ids.shift() ?? "",
        handlers: { "session/prompt": () => ({ stopReason: "end_turn" }) },
      }),
    });
    const connected = await client.connect(createHttpTransport(endpoint, { fetch }));
    const odd = await connected.newSession({ cwd });
    await expect(odd.prompt("go").response).rejects.toThrow(
      `The session ${JSON.stringify(id)} cannot be used over HTTP: its id does not fit into a header`,
    );
    const plain = await connected.newSession({ cwd });
    expect((await plain.prompt("go").response).stopReason).toBe("end_turn");
    await connected.close();
  },
);

test("createHttpTransport() rejects a URL that is not HTTP, and a first message that is not initialize", () => {
  for (const url of ["", "/acp", "ws://localhost/acp"])
    expect(() => createHttpTransport(url)).toThrow(`${url} is no URL of HTTP`);
  const transport = createHttpTransport(endpoint);
  expect(() => transport.send('{"jsonrpc":"2.0","id":1,"method":"session/new"}', "soon")).toThrow(
    "session/new cannot be the first message",
  );
});
