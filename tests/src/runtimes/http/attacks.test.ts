// What attackers get from a server on each runtime: answers that say why, while everybody else is served.
import { once } from "node:events";
import { connect, type Socket } from "node:net";

import { createWebSocketTransport } from "@acp/core";
import { createHttpTransport } from "@acp/http";
import { afterEach, describe, expect, test } from "vitest";
import { WebSocket } from "ws";

import { serveOn, type ServerProcess, serving } from "../../support/http/serve-on.ts";
import { expected } from "../../support/http/story.ts";
import { liveStory } from "../../support/http/toolkit-story.ts";

const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end();
});

const mebi = 1024 * 1024;

/** A request whose body the test sends. */
interface RawRequest {
  readonly socket: Socket;
  /** The status and everything behind it, as soon as there is a whole head and `words` in what follows. */
  answer(words: string): Promise<string>;
  /** The head of the answer. */
  head(): string;
}

async function request(port: number, line: string, headers: Readonly<Record<string, string>>): Promise<RawRequest> {
  const socket = connect(port, "127.0.0.1");
  socket.on("error", () => {});
  ends.push(() => socket.destroy());
  let received = "";
  socket.on("data", (chunk: Buffer) => (received += chunk.toString("latin1")));
  await once(socket, "connect");
  const lines = Object.entries({ Host: "localhost", ...headers }).map(([name, value]) => `${name}: ${value}`);
  socket.write([`${line} HTTP/1.1`, ...lines, "", ""].join("\r\n"));
  return {
    socket,
    async answer(words) {
      await expect.poll(() => received).toContain(words);
      return /^HTTP\/1\.1 (\d+)/.exec(received)?.[1] ?? received;
    },
    head: () => received.slice(0, received.indexOf("\r\n\r\n") + 2),
  };
}

const json = { "Content-Type": "application/json" };
const initialize = { jsonrpc: "2.0", id: 0, method: "initialize", params: { protocolVersion: 1 } };
const newSession = { jsonrpc: "2.0", id: 1, method: "session/new", params: { cwd: "/", mcpServers: [] } };

/** Opens a connection; returns the header that names it. */
async function open(port: number): Promise<Record<string, string>> {
  const init = { method: "POST", headers: json, body: JSON.stringify(initialize) };
  const response = await fetch(`http://127.0.0.1:${port}/acp`, init);
  await response.text();
  return { "Acp-Connection-Id": response.headers.get("Acp-Connection-Id") ?? "" };
}

async function socketTo(port: number): Promise<{ readonly socket: WebSocket; readonly messages: unknown[] }> {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/acp`);
  socket.on("error", () => {});
  ends.push(() => socket.terminate());
  const messages: unknown[] = [];
  socket.on("message", (data: Buffer) => messages.push(JSON.parse(data.toString())));
  await once(socket, "open");
  socket.send(JSON.stringify(initialize));
  await expect.poll(() => messages.length).toBe(1);
  return { socket, messages };
}

describe.each(serving)("a server on %s", (runtime, name) => {
  async function serve(options: object): Promise<ServerProcess> {
    const server = await serveOn(runtime, name, options);
    ends.push(() => server.end());
    return server;
  }

  /** Everybody else is served. */
  async function isServing(port: number): Promise<void> {
    expect(await liveStory(createHttpTransport(`http://127.0.0.1:${port}/acp`))).toEqual(expected);
    const socket = new WebSocket(`ws://127.0.0.1:${port}/acp`);
    expect(await liveStory(createWebSocketTransport(socket))).toEqual(expected);
  }

  test("admits the identities that authorize returns, to their own connections", async () => {
    const { port } = await serve({ users: { "token of ada": "ada", "token of bob": "bob" }, bodyTimeout: 600_000 });
    const url = `http://127.0.0.1:${port}/acp`;
    const ada = { Authorization: "token of ada" };
    const opened = await fetch(url, { method: "POST", headers: { ...json, ...ada }, body: JSON.stringify(initialize) });
    await opened.text();
    const connection = { "Acp-Connection-Id": opened.headers.get("Acp-Connection-Id") ?? "" };
    for (const [token, status] of [
      ["", "401"],
      ["token of eve", "401"],
      ["token of bob", "404"],
    ] as const) {
      const headers = { ...json, ...connection, Authorization: token, "Content-Length": "8000000" };
      // Its body never comes.
      const posted = await request(port, "POST /acp", headers);
      expect(await posted.answer("HTTP/1.1 ")).toBe(status);
      const streamed = await fetch(url, {
        headers: { ...connection, Accept: "text/event-stream", Authorization: token },
      });
      expect(String(streamed.status)).toBe(status);
      await streamed.body?.cancel();
      const socket = new WebSocket(url.replace("http", "ws"), { headers: { Authorization: token } });
      const outcome = await new Promise((resolve) => {
        socket.on("open", () => resolve("open"));
        socket.on("error", ({ message }) => resolve(message));
      });
      // Bob may use the server, by a connection of his own.
      expect(outcome).toBe(status === "401" ? "Unexpected server response: 401" : "open");
      socket.terminate();
    }
    expect(await liveStory(createHttpTransport(url, { headers: ada }))).toEqual(expected);
    const socket = new WebSocket(url.replace("http", "ws"), { headers: ada });
    expect(await liveStory(createWebSocketTransport(socket))).toEqual(expected);
  });

  test("answers before a body has come, if its head is enough to refuse it", async () => {
    const { port } = await serve({ bodyTimeout: 600_000 });
    const length = { "Content-Length": "8000000" };
    const known = await open(port);
    const attacks = await Promise.all(
      Array.from({ length: 40 }, (_, n) =>
        n % 2 === 0
          ? request(port, "POST /acp", { ...json, ...length, "Acp-Connection-Id": `unknown ${n}` })
          : request(port, "POST /acp", { ...json, ...known, "Content-Length": String(17 * mebi) }),
      ),
    );
    for (const { socket } of attacks) socket.write("{");
    for (const [n, { answer }] of attacks.entries())
      expect(await answer(n % 2 === 0 ? "no such connection" : "(maxMessageBytes)")).toBe(n % 2 === 0 ? "404" : "413");
    await isServing(port);
  });

  test("answers a body that does not arrive in time with 408", async () => {
    const { port } = await serve({ bodyTimeout: 300 });
    const known = await open(port);
    const length = { "Content-Length": "1000" };
    const attacks = await Promise.all([
      request(port, "POST /acp", { ...json, ...length, ...known }),
      request(port, "POST /acp", { ...json, ...length }),
      request(port, "POST /acp", { ...json, ...known, "Transfer-Encoding": "chunked" }),
    ]);
    for (const { socket } of attacks) socket.write('5\r\n{"a":');
    for (const { answer, head } of attacks) {
      expect(await answer("(bodyTimeout)")).toBe("408");
      expect(head()).toMatch(/^connection: close\r$/im);
    }
    await isServing(port);
  });

  // Deno's server reads on for as long as such a client sends, and no program can close its socket.
  test.runIf(runtime !== "deno")(
    "closes the network connection of a body that drips on after its refusal (Deno cannot)",
    async () => {
      const { port } = await serve({ bodyTimeout: 300, maxMessageBytes: 10_000 });
      const known = await open(port);
      const attacks: readonly { readonly words: string; readonly headers: Record<string, string> }[] = [
        { words: "(bodyTimeout)", headers: { ...known, "Content-Length": "1000" } },
        { words: "(bodyTimeout)", headers: { ...known, "Transfer-Encoding": "chunked" } },
        { words: "(bodyTimeout)", headers: { "Content-Length": "1000" } },
        { words: "(maxMessageBytes)", headers: { ...known, "Content-Length": "8000000" } },
        { words: "no such connection", headers: { "Acp-Connection-Id": "unknown", "Content-Length": "8000000" } },
      ];
      await Promise.all(
        attacks.map(async ({ words, headers }) => {
          const { socket, answer } = await request(port, "POST /acp", { ...json, ...headers });
          const closed = once(socket, "close");
          const drip = setInterval(() => socket.write("1\r\na\r\n"), 50);
          ends.push(() => clearInterval(drip));
          await answer(words);
          await closed;
        }),
      );
      await isServing(port);
    },
  );

  test("discards the largest bodies when all together exceed the limit", async () => {
    const { port } = await serve({ maxTotalReceivedBytes: 4 * mebi, bodyTimeout: 600_000 });
    const known = await open(port);
    const answered: string[] = [];
    for (let n = 0; n < 8; n++) {
      const headers = { ...json, ...known, "Content-Length": String(2 * mebi) };
      const { socket, answer } = await request(port, "POST /acp", headers);
      socket.write(Buffer.alloc(1.5 * mebi, " "));
      answer("(maxTotalReceivedBytes)").then(
        (status) => answered.push(status),
        () => {},
      );
    }
    // Two fit.
    await expect.poll(() => answered).toEqual(Array(6).fill("503"));
    await isServing(port);
  });

  // The other runtimes do not tell what has arrived of a message.
  test.runIf(runtime.startsWith("node"))(
    "closes the WebSockets with the most of messages that never end (Node.js alone counts these)",
    async () => {
      const { port } = await serve({ maxTotalReceivedBytes: 4 * mebi });
      const attackers = await Promise.all(Array.from({ length: 20 }, () => socketTo(port)));
      const reasons: string[] = [];
      for (const { socket } of attackers) {
        socket.on("close", (code, reason: Buffer) => reasons.push(`${code} ${reason.toString()}`));
        socket.send("x".repeat(0.9 * mebi), { fin: false });
      }
      // Four fit.
      await expect.poll(() => reasons.length).toBe(16);
      for (const reason of reasons) expect(reason).toMatch(/^1013 .*\(maxTotalReceivedBytes\)$/);
      await isServing(port);
    },
  );

  test("ends WebSockets that do not read, one by one and together", async () => {
    const limits = { maxBufferedUnits: 4_000_000, maxTotalBufferedUnits: 6_000_000 };
    for (const [limit, value] of Object.entries(limits)) {
      const server = await serve({ [limit]: value });
      const { port } = server;
      const attackers = [await socketTo(port), await socketTo(port)];
      for (const { socket, messages } of attackers) {
        socket.send(JSON.stringify(newSession));
        await expect.poll(() => messages.length).toBe(2);
        const { result } = messages[1] as { readonly result: { readonly sessionId: string } };
        socket.pause();
        const params = { ...result, prompt: [{ type: "text", text: "shout" }] };
        socket.send(JSON.stringify({ jsonrpc: "2.0", id: 2, method: "session/prompt", params }));
      }
      await expect.poll(() => server.errors).toContain(`(${limit})`);
      await isServing(port);
    }
  });

  test("opens no more streams for sessions that do not exist than a connection may have", async () => {
    const { port } = await serve({ maxUnopenedStreams: 20 });
    const known = await open(port);
    const streams = await Promise.all(
      Array.from({ length: 40 }, (_, n) =>
        request(port, "GET /acp", { ...known, Accept: "text/event-stream", "Acp-Session-Id": `none ${n}` }),
      ),
    );
    const statuses = await Promise.all(streams.map(({ answer }) => answer("HTTP/1.1 ")));
    expect(statuses.filter((status) => status === "200")).toHaveLength(20);
    expect(statuses.filter((status) => status === "429")).toHaveLength(20);
    await isServing(port);
  });

  test("refuses a message that branches out of all proportion, over HTTP and a WebSocket", async () => {
    const { port } = await serve({});
    const body = `{"jsonrpc":"2.0","id":9,"method":"_do","params":[${"[],".repeat(5 * mebi)}[]]}`;
    const headers = { ...json, ...(await open(port)) };
    const response = await fetch(`http://127.0.0.1:${port}/acp`, { method: "POST", headers, body });
    expect([response.status, await response.text()]).toEqual([413, expect.stringContaining("(maxMessageValues)")]);
    const { socket, messages } = await socketTo(port);
    socket.send(body);
    await expect.poll(() => messages.at(-1)).toMatchObject({ id: 9, error: { code: -32600 } });
    socket.send(JSON.stringify(newSession));
    await expect.poll(() => messages.at(-1)).toMatchObject({ id: 1, result: {} });
  });
});
